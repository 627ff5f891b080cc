"""Compiling choices and unions."""

import attrs

from prismpy.schema import JSON, json_type, step

from ._base import Base
from ._lens import Lens, are_disjoint, nullable, union_lens, unless_null
from ._merge import equal_key
from ._words import constrains, described


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
        return self._changed("one-of", path, "oneOf", lens, lossy=not are_disjoint(lens.schema.get("anyOf", [])))

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
        possible = [branch for branch in branches if branch is not False]
        null = [branch for branch in possible if isinstance(branch, dict) and branch.get("type") == "null"]
        others = [branch for branch in possible if branch not in null]
        alone, by_keyword = self._subset.lone_unions, self._subset.null_keyword
        kept = {} if beside is None else self._kept(beside, path, set(), alone=alone and len(others) > 1)
        if not others:
            says_null = null and "null" in self._subset.types
            return Lens({"type": "null", **kept}) if says_null else self._as_text(schema, path)
        if len(others) == 1 or alone:
            description = kept.pop("description", "")
            others = [described(branch, description) for branch in others]
        path = step(path, keyword) if keyword else path
        if len(others) == 1:
            lens = self._lens(others[0], path)
            lens = attrs.evolve(lens, schema={**lens.schema, **kept})
        else:
            lens = self._branches(others if by_keyword or alone else possible, kept, path)
        if null and (len(others) == 1 or by_keyword or alone):
            lens = unless_null(nullable(lens, keyword=by_keyword))
        return lens

    def _branches(self, branches: list[JSON], kept: dict[str, JSON], path: str) -> Lens:
        lenses = [(branch, self._lens(branch, step(path, i))) for i, branch in enumerate(branches)]
        return union_lens(kept, [(lens, self._judges.of(branch)) for branch, lens in lenses], self._subset.closing)


def _by_type(options: list[JSON]) -> dict[str, list[JSON]]:
    """Sort options by their type; whole numbers are numbers where there are others, too."""
    numbers = "number" if any(isinstance(option, float) for option in options) else "integer"
    found: dict[str, list[JSON]] = {}
    for option in options:
        word = json_type(option)
        found.setdefault(numbers if word in {"integer", "number"} else word, []).append(option)
    return found
