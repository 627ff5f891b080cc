"""Compiling choices and unions."""

from prismpy.schema import JSON, json_type, place_of, step

from ._apart import have_tags
from ._base import Base
from ._lens import Lens, nullable, union_lens, unless_null
from ._merge import equal_key
from ._words import constrains, described, is_idle, is_nothing


class Choices(Base):
    """The part of the compiler that knows `enum`, `const`, `anyOf` and `oneOf`."""

    def _choice(self, schema: JSON, path: str) -> Lens:
        keyword = "enum" if "enum" in schema else "const"
        options = schema["enum"] if "enum" in schema else [schema["const"]]
        fitting = list({equal_key(option): option for option in self._fitting(schema, options)}.values())
        if not fitting or not all(isinstance(option, str | int | float | None) for option in fitting):
            return self._as_text(schema, path)
        words = list(_by_type(fitting))
        if len(words) > 1 and not (self._subset.type_lists and self._subset.enum_types.issuperset(words)):
            return self._choices(schema, fitting, path)
        if not self._subset.types.issuperset(words):
            return self._as_text(schema, path)
        lowered: dict[str, JSON] = {"type": words[0] if len(words) == 1 else words}
        if words == ["boolean"] and len(fitting) > 1:
            return Lens({**lowered, **self._kept(schema, path, {"type", keyword}, "boolean")})
        if not self._can_list(words, fitting):
            beside = {word: value for word, value in schema.items() if word not in {"type", "enum", "const"}}
            told = {**beside, keyword: fitting if keyword == "enum" else fitting[0]}
            return Lens({**lowered, **self._kept(told, path, set(), None)})
        lens = Lens({**lowered, "enum": fitting, **self._kept(schema, path, {"type", "enum", "const"})})
        return lens if keyword == "enum" else self._changed("const", path, schema["const"], lens)

    def _fitting(self, schema: JSON, options: list[JSON]) -> list[JSON]:
        """Return the options that the rest of their schema accepts, too."""
        rest = {word for word in schema if constrains(word)} - {"enum" if "enum" in schema else "const"}
        if not rest or (rest == {"type"} and schema["type"] == "string"):  # as nearly always
            return [option for option in options if not rest or isinstance(option, str)]
        accepts = self._judges.of(schema)
        return [option for option in options if accepts(option)]

    def _can_list(self, words: list[str], options: list[JSON]) -> bool:
        subset, most = self._subset, self._budget.options
        if most is not None and len(options) > most:
            return False
        return subset.enum_types.issuperset(words) and (subset.empty_options or "" not in options)

    def _choices(self, schema: JSON, options: list[JSON], path: str) -> Lens:
        """Sort options by their type, where no single enum can hold them all."""
        branches = [
            {"type": "null"} if word == "null" else {"type": word, "enum": some}
            for word, some in _by_type(options).items()
        ]
        beside = {word: value for word, value in schema.items() if word not in {"type", "enum", "const"}}
        return self._either(schema, branches, path, beside)

    def _union(self, schema: JSON, branches: list[JSON], keyword: str, path: str) -> Lens:
        beside = {word: value for word, value in schema.items() if word != keyword}
        lens = self._either(schema, branches, path, beside, keyword)
        if keyword == "anyOf":
            return lens
        return self._changed("one-of", path, "oneOf", lens, lossy=not self._are_disjoint(branches, lens))

    def _are_disjoint(self, branches: list[JSON], lens: Lens) -> bool:
        """Tell whether a value of one branch is surely of no other, by its type or by tags of objects."""
        kinds = [place_of(branch, self._document).kinds for branch in branches]
        others = [each for each in kinds if each != {"object"}]
        objects = [frozenset({"object"})] if len(others) < len(kinds) else []
        if len(frozenset[str]().union(*kinds)) < sum(map(len, [*others, *objects])):
            return False
        return len(kinds) - len(others) <= 1 or have_tags(lens.schema.get("anyOf", []))

    def _either(
        self, schema: JSON, branches: list[JSON], path: str, beside: JSON | None = None, keyword: str = ""
    ) -> Lens:
        """
        Compile branches; null among them goes to the only other one, or wherever the provider says it.

        Args:
            schema: What has the branches.

            branches: One of which a value obeys.

            path: Where the schema stands.

            beside: What stands beside the branches; None where they repeat it.

            keyword: What they stand under, if they are schemas of their own.
        """
        where = step(path, keyword) if keyword else path
        placed = [(branch, step(where, i) if keyword else where) for i, branch in enumerate(branches)]
        possible = [(branch, place) for branch, place in placed if not self._is_impossible(branch)]
        others = [(branch, place) for branch, place in possible if not _is_null(branch)]
        takes_null = len(others) < len(possible)
        alone, by_keyword = self._subset.lone_unions, self._subset.null_keyword
        if len(others) == 1:
            branch, place = others[0]
            lens = self._lens(self._joined(branch, beside or {}, path), place)
            return unless_null(nullable(lens, keyword=by_keyword)) if takes_null else lens
        kept = {} if beside is None else self._kept(beside, path, set(), alone=alone and bool(others))
        if not others:
            says_null = takes_null and "null" in self._subset.types
            return Lens({"type": "null", **kept}) if says_null else self._as_text(schema, path)
        if alone:
            description = kept.pop("description", "")
            others = [(described(branch, description), place) for branch, place in others]
        told = others if by_keyword or alone else possible
        lenses = [(self._lens(branch, place), self._judges.of(branch)) for branch, place in told]
        lens = union_lens(kept, lenses, self._subset.closing)
        return unless_null(nullable(lens, keyword=by_keyword)) if takes_null and told is others else lens

    def _joined(self, branch: JSON, beside: dict[str, JSON], path: str) -> JSON:
        """Put what stands beside branches into the only one, notes as they can be said where they stand."""
        kept = self._kept({word: value for word, value in beside.items() if not constrains(word)}, path, set())
        whole = self._with_beside(branch, {word: beside[word] for word in beside if constrains(word)}, path)
        whole = described(whole, kept.pop("description", ""))
        return {**({} if whole is True else whole), **kept} if kept else whole

    def _is_impossible(self, branch: JSON) -> bool:
        """Tell at a glance whether a branch accepts nothing."""
        if not _is_null(branch) or not any(
            constrains(word) and not is_idle(word, "null") for word in branch.keys() - {"type"}
        ):
            return is_nothing(branch)
        return not self._judges.of(branch)(None)


def _is_null(branch: JSON) -> bool:
    return isinstance(branch, dict) and branch.get("type") == "null"


def _by_type(options: list[JSON]) -> dict[str, list[JSON]]:
    """Sort options by their type; whole numbers are numbers where there are others, too."""
    numbers = "number" if any(isinstance(option, float) for option in options) else "integer"
    found: dict[str, list[JSON]] = {}
    for option in options:
        word = json_type(option)
        found.setdefault(numbers if word in {"integer", "number"} else word, []).append(option)
    return found
