"""Reading many annotations: what is remembered from one callable to the next, and definitions that keep apart."""

import dataclasses
from collections.abc import Callable
from typing import Annotated, Any, Literal, Union

import attrs
import pydantic
import pytest
from pydantic import BaseModel

from prismpy.schema import StringSchema, emit
from prismpy.types import Form, NoJSONFormError, Param, Reader, TypeRule, _rules, load_with, read, register
from prismpy.types._rule import Memory, Rules, identity


@attrs.frozen
class Leaf:
    value: int
    leaves: "list[Leaf]" = attrs.field(factory=list)


@attrs.frozen
class Hen:
    eggs: "list[Egg]" = attrs.field(factory=list)


@attrs.frozen
class Egg:
    hens: "list[Hen]" = attrs.field(factory=list)
    size: Literal["s", "l"] = "s"


def node(annotation: Any) -> Any:
    made = dataclasses.make_dataclass("Node", [("value", annotation), ("next", Any)])
    made.__annotations__["next"] = made | None
    return made


def model(annotation: Any) -> Any:
    class Leaf(BaseModel):
        __annotations__ = {"value": annotation}

    class Outer(BaseModel):
        leaf: Leaf

    return Outer


def test_a_form_is_remembered() -> None:
    """The next reader gets the same one, with the definitions that it refers to."""
    first, second = read(), read()

    assert first.form(Leaf) is second.form(Leaf)
    assert first.definitions == second.definitions
    assert list(first.definitions) == ["Leaf"]


def test_unions_are_remembered_as_they_were_written() -> None:
    """Equal annotations differ where the order of members does; what was left out is told again."""
    annotations = [Union[int, str], Union[str, int], Annotated[int, []], Union[int, Callable[[], None]]]
    first, second = read(), read()
    written = [[emit(reader.form(annotation).schema) for annotation in annotations] for reader in (first, second)]

    assert written[0] == written[1]
    assert written[0][:2] == [
        {"anyOf": [{"type": "integer"}, {"type": "string"}]},
        {"anyOf": [{"type": "string"}, {"type": "integer"}]},
    ]
    remark = "collections.abc.Callable[[], None] has no JSON form, so it is left out of the type"
    assert list(first.remarks) == list(second.remarks) == [remark]


@pytest.mark.parametrize("order", [(Hen, Egg), (Egg, Hen), (list[Egg], Hen), (Hen, list[Egg], Egg)], ids=str)
def test_types_that_contain_each_other_are_remembered_whole(order: tuple[Any, ...]) -> None:
    """Whichever is met first, and whatever earlier readers met, all references lead somewhere."""
    reader = read()
    for annotation in order:
        form = reader.form(annotation)
        fresh = read()
        alone = fresh.form(annotation)
        json: Any = {"hens": [{"eggs": [{"size": "l"}]}]} if annotation is Egg else {"eggs": [{"hens": [{"eggs": []}]}]}
        json = [json] if annotation not in (Hen, Egg) else json
        json = [{"hens": [{"eggs": []}]}] if annotation == list[Egg] else json

        assert reader.judge(form)(json) == fresh.judge(alone)(json) == ()
        assert load_with(form, json) == load_with(alone, json)
        assert reader.judge(form)({"size": 3, "eggs": 3}) != ()


def test_definitions_of_one_name_are_kept_apart() -> None:
    """Types that share a name get names of their own, in whatever order they come, remembered or not."""
    kinds = [node(int), node(str)]
    forward, backward = read(), read()
    forms = [emit(forward.form(kind).schema) for kind in kinds]
    again = [emit(backward.form(kind).schema) for kind in reversed(kinds)]

    assert forms == again == [{"$ref": "#/$defs/Node"}, {"$ref": "#/$defs/Node_2"}]
    assert read().form(kinds[1]).schema == read().form(kinds[0]).schema
    assert forward.definitions["Node_2"]["properties"]["value"] == {"type": "string"}
    assert backward.definitions["Node_2"]["properties"]["value"] == {"type": "integer"}


def test_models_of_one_name_are_kept_apart() -> None:
    """pydantic names definitions by class; where two classes share a name, references follow the new ones."""
    reader = read()
    outers = [model(int), model(str), model(int)]
    forms = [emit(reader.form(outer).schema)["properties"]["leaf"] for outer in outers]

    assert forms == [{"$ref": "#/$defs/Leaf"}, {"$ref": "#/$defs/Leaf_2"}, {"$ref": "#/$defs/Leaf"}]
    assert emit(reader.form(Leaf).schema) == {"$ref": "#/$defs/Leaf_3"}
    assert emit(reader.form(outers[1]).schema)["properties"]["leaf"] == {"$ref": "#/$defs/Leaf_2"}
    assert [reader.definitions[name]["properties"]["value"]["type"] for name in ("Leaf", "Leaf_2", "Leaf_3")] == [
        "integer",
        "string",
        "integer",
    ]


def test_discriminators_follow_too() -> None:
    """pydantic tells by a map of references which member of a union a tag belongs to."""

    def pets(size: Any) -> Any:
        class Cat(BaseModel):
            kind: Literal["cat"]
            __annotations__ = {"kind": Literal["cat"], "size": size}

        class Dog(BaseModel):
            kind: Literal["dog"]

        class Home(BaseModel):
            pet: Cat | Dog = pydantic.Field(discriminator="kind")

        return Home

    reader = read()
    reader.form(pets(int))
    pet = emit(reader.form(pets(str)).schema)["properties"]["pet"]

    assert pet == {
        "discriminator": {"mapping": {"cat": "#/$defs/Cat_2", "dog": "#/$defs/Dog_2"}, "propertyName": "kind"},
        "oneOf": [{"$ref": "#/$defs/Cat_2"}, {"$ref": "#/$defs/Dog_2"}],
    }


@attrs.frozen
class Waiting:
    late: "Late | None" = None  # type: ignore[name-defined]  # noqa: F821  # it comes below


def test_what_is_not_known_yet_is_not_remembered() -> None:
    """A field whose class is defined later appears once it is."""
    before = emit(read().form(Waiting).schema)
    globals()["Late"] = attrs.make_class("Late", {"size": attrs.field(type=int)})
    after = emit(read().form(Waiting).schema)
    del globals()["Late"]

    assert before["properties"] == {}
    assert after["properties"]["late"]["properties"] == {"size": {"type": "integer"}}


def test_a_new_rule_forgets_what_was_read() -> None:
    """What was remembered came by the rules of its time."""

    class Celsius:
        pass

    with pytest.raises(NoJSONFormError):
        read().form(list[Celsius])
    register(TypeRule(lambda kind: kind is Celsius, lambda _, __: Form(StringSchema())))

    assert emit(read().form(list[Celsius]).schema) == {"type": "array", "items": {"type": "string"}}


def test_a_full_memory_forgets() -> None:
    """Functions that are made at run time do not pile up."""
    memory: Memory[Any, int] = Memory()
    keys = [object() for _ in range(memory.LIMIT + 1)]
    for number, key in enumerate(keys):
        memory.put(key, number)

    assert memory.get(keys[0]) is None
    assert memory.get(keys[-1]) == memory.LIMIT


@pytest.mark.parametrize(
    "write", [lambda: list[str] | None, lambda: dict[str, list[int | None]], lambda: tuple[int, ...]]
)
def test_what_is_written_twice_is_read_once(write: Callable[[], Any]) -> None:
    """Each time that `list[str]` is written makes another object; what it says is remembered all the same."""
    forms = [read().form(write()) for _ in range(2)]

    assert forms[0] is forms[1]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (list[int | str], list[str | int]),
        (list[int], list[bool]),
        (list[int] | None, list[int | None]),
        (dict[str, int] | int, dict[str, int | str]),
        (tuple[int], tuple[int, ...]),
        (tuple[()], tuple),
        (tuple[int, *tuple[str]], tuple[int, tuple[str]]),
        (tuple[Annotated[int, Param(minimum=1)], str], tuple[Annotated[int, Param(minimum=2)], str]),
    ],
)
def test_what_says_something_else_is_remembered_apart(one: Any, other: Any) -> None:
    """Order counts, and so does what parts are within; whichever is read first does not colour the other."""
    first = emit(read().form(one).schema)
    second = emit(read().form(other).schema)

    assert [first, second] == [emit(Reader(Rules(_rules[0].rows)).form(kind).schema) for kind in (one, other)]
    assert identity(one) != identity(other)


class Opaque:
    pass


@attrs.frozen
class Host:
    guests: "list[Guest]"
    engine: Opaque


@attrs.frozen
class Guest:
    host: "Host | None" = None
    friends: "list[Guest]" = attrs.field(factory=list)


def test_what_was_found_out_on_the_way_to_nothing_is_forgotten() -> None:
    """A member of a union that turns out to have no form leaves no definition behind that leads nowhere."""
    reader = read()
    form = reader.form(Union[int, Host, Guest])

    assert emit(form.schema) == {"anyOf": [{"type": "integer"}, {"$ref": "#/$defs/Guest"}]}
    assert reader.definitions == {
        "Guest": {
            "type": "object",
            "properties": {"friends": {"type": "array", "items": {"$ref": "#/$defs/Guest"}}},
            "additionalProperties": False,
        }
    }
    assert reader.judge(form)({"friends": [{}]}) == ()
    assert list(reader.remarks) == ["Host.engine: Opaque has no JSON form, so it is left out of the type"]


def linked(length: int, last: Any) -> Any:
    kind = last
    for number in reversed(range(length)):
        fields = {"next": attrs.field(type=kind), "size": attrs.field(type=int, default=number)}
        kind = attrs.make_class(f"Link{number}", fields)
    return kind


def test_types_may_be_nested_deeply() -> None:
    """What is met too deep within others is read later, under a name; the depth of Python's calls stays small."""
    reader = read()
    form = reader.form(linked(300, int))
    json: Any = 5
    for _ in range(300):
        json = {"next": json}

    assert emit(form.schema)["properties"]["next"]["properties"]["size"] == {"type": "integer", "default": 1}
    assert len(reader.definitions) == 24
    assert reader.judge(form)({"next": {"next": {}}}) != ()
    assert load_with(form, json).next.next.size == 2


def test_what_is_read_later_may_have_no_form() -> None:
    """Whatever contains it is read anew, and left out or refused for it."""
    optional = attrs.make_class(
        "Holder", {"deep": attrs.field(type=linked(40, Opaque) | int), "size": attrs.field(type=int)}
    )
    again, reader = read(), read()
    with pytest.raises(NoJSONFormError, match=r"Link0\.next: Link1\.next: .*Opaque has no JSON form"):
        again.form(linked(40, Opaque))
    forms = [emit(one.form(optional).schema)["properties"] for one in (reader, read())]

    assert forms == [{"deep": {"type": "integer"}, "size": {"type": "integer"}}] * 2
    assert reader.definitions == again.definitions == {}
