"""Annotations as what they mean, wherever they were written."""

import sys
import textwrap
import types
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated, Any, Generic, Literal, Optional, Self, TypeVar, Union

import pytest

from prismpy import DefinitionError, Injected, tool
from prismpy.schema import emit
from prismpy.tools._signature import read_signature
from prismpy.types import Scope, Unevaluable, evaluated, read
from prismpy.types._modules import guarded_names, imported_names

Item = TypeVar("Item")

FILES = {
    "__init__.py": "from .user import sized",
    "kinds.py": """
        from __future__ import annotations
        from enum import Enum
        from typing import TYPE_CHECKING, Any, List, NewType, TypeAlias, TypeVar, Union

        if TYPE_CHECKING:
            from decimal import Decimal
            from . import nowhere
            Price: TypeAlias = "Decimal | int"
            Hidden = Decimal
        if not TYPE_CHECKING:
            pass
        else:
            from fractions import Fraction
        from .making import make_variable
        try:
            from .color import Color
        except ImportError:
            from .colour import Color

        class Kind(Enum):
            A = "a"

        Source = Union[str, "Kind"]
        Amount = Union[int, "Decimal"]
        Half = Union["Fraction", None]
        Text: TypeAlias = "str | Price"
        Word = "max"
        Json = Union[None, str, List["Json"]]
        Ping = Union[int, List["Pong"]]
        Pong = Union[str, List["Ping"]]
        Kinded = TypeVar("Kinded", bound="Kind")
        Key = NewType("Key", "Kind")
        Made = make_variable("Made", bound="Kind")
    """,
    "making.py": """
        from typing import TypeVar
        def make_variable(name, bound):
            return TypeVar(name, bound=bound)
    """,
    "color.py": """
        from typing import Optional
        from . import kinds
        from dataclasses import dataclass
        from attrs import frozen

        class Color:
            pass

        class Kind:
            pass

        @dataclass
        class Base:
            kind: "kinds.Kind"
            more: "Optional[Base]" = None

        @frozen
        class Held:
            _kind: "kinds.Kind"
    """,
    "user.py": """
        from __future__ import annotations
        from dataclasses import dataclass
        from attrs import frozen
        from typing import TYPE_CHECKING, Annotated, Literal, Optional
        from . import kinds as k
        from .color import Base, Held
        from .kinds import Amount, Half, Json, Key, Kinded, Made, Ping, Source, Text, Word
        if TYPE_CHECKING:
            from .kinds import Hidden, Price
            import a_module_that_is_not_installed as gone

        Kind = int

        def sized(a: Source, b: Amount, c: Half, d: Text, e: Price, f: Hidden, g: k.Source, h: k.Hidden): ...
        def recursive(a: Json, b: "Optional[Json]", c: Ping, d: k.Json): ...
        def quoted(a: "'int'", b: "int" | None, c: Literal["int", Word], d: Annotated["int", "text"]): ...
        def partly(a: str | gone.Table, b: gone.Table[int], c: k.Gone, d: Annotated[gone.Db, 1]): ...
        def variable(a: Kinded, b: Key, c: Made): ...

        @dataclass
        class Heir(Base):
            size: Kind = 1

        @frozen
        class HeldHeir(Held):
            size: Kind = 1
    """,
    "loop.py": """
        from typing import TYPE_CHECKING
        if TYPE_CHECKING:
            from .loop import Self
            from prismpy_names_package.loop import Other
            from .pool import Ring
            from ....far import Away
        Other = list["Other"]
        Ring = list["Ring"]
        def looped(a: "Other", b: "Ring"): ...
    """,
    "pool.py": """
        from typing import TYPE_CHECKING
        if TYPE_CHECKING:
            from .loop import Ring
        Ring = list["Ring"]
    """,
}


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    folder: Path = tmp_path_factory.mktemp("names") / "prismpy_names_package"
    folder.mkdir()
    for name, source in FILES.items():
        (folder / name).write_text(textwrap.dedent(source), encoding="utf-8")
    sys.path.insert(0, str(folder.parent))
    import prismpy_names_package.loop
    import prismpy_names_package.pool
    import prismpy_names_package.user

    yield prismpy_names_package
    sys.path.remove(str(folder.parent))
    for name in [name for name in sys.modules if name.startswith("prismpy_names_package")]:
        del sys.modules[name]


def annotations(function: Any) -> list[Any]:
    return [p.annotation for p in read_signature(function).parameters]


def test_an_alias_means_what_it_says_in_its_own_module(package: Any) -> None:
    """Also where a name in it is there for type checkers only, or means something else where the alias is used."""
    from decimal import Decimal
    from fractions import Fraction

    kind = package.kinds.Kind

    assert annotations(package.user.sized) == [
        Union[str, kind],
        Union[int, Decimal],
        Optional[Fraction],
        Union[str, Decimal, int],
        Union[Decimal, int],
        Decimal,
        Union[str, kind],
        Decimal,
    ]


def test_an_alias_may_contain_itself(package: Any) -> None:
    """It becomes a definition, also where two aliases contain each other."""
    reader = read()
    forms = [emit(reader.form(annotation).schema) for annotation in annotations(package.user.recursive)]

    assert forms == [
        {"$ref": "#/$defs/Json"},
        {"anyOf": [{"$ref": "#/$defs/Json"}, {"type": "null"}]},
        {"$ref": "#/$defs/Ping"},
        {"$ref": "#/$defs/Json"},
    ]
    assert reader.definitions == {
        "Json": {"anyOf": [{"type": "string"}, {"type": "array", "items": {"$ref": "#/$defs/Json"}}, {"type": "null"}]},
        "Ping": {
            "anyOf": [
                {"type": "integer"},
                {
                    "type": "array",
                    "items": {"anyOf": [{"type": "string"}, {"type": "array", "items": {"$ref": "#/$defs/Ping"}}]},
                },
            ]
        },
    }


def test_a_recursive_alias_that_is_no_text_is_read(package: Any) -> None:
    """As it stands in a module without `from __future__ import annotations`."""

    def function(a: Any) -> None: ...

    function.__annotations__["a"] = package.kinds.Json
    function.__globals__  # noqa: B018  # where the name is not known, as in this module
    copy = types.FunctionType(function.__code__, vars(package.kinds), "function")
    copy.__annotations__ = function.__annotations__

    assert tool(copy).to("json-schema")["properties"] == {
        "a": {"anyOf": [{"type": "string"}, {"type": "array", "items": {"$ref": "#/$defs/Json"}}, {"type": "null"}]}
    }


def test_texts_in_texts_are_annotations_unless_they_are_choices(package: Any) -> None:
    """Quotes within a text are taken off, in `Literal` and beside a type they are kept."""
    assert annotations(package.user.quoted) == [
        int,
        Optional[int],
        Literal["int", "max"],
        Annotated[int, "text"],
    ]


def test_a_member_of_a_union_that_means_nothing_is_left_out(package: Any) -> None:
    """What is left is read and the tool says so; a parameter of which nothing is left is refused."""
    union, whole, dotted, injected = annotations(package.user.partly)
    reader = read()

    assert emit(reader.form(union).schema) == {"type": "string"}
    assert list(reader.remarks) == ["name 'gone' is not defined, so it is left out of the type"]
    assert reader.provisional
    assert whole == Unevaluable("'gone.Table[int]' cannot be evaluated: name 'gone' is not defined")
    assert dotted == Unevaluable(
        "'k.Gone' cannot be evaluated: module 'prismpy_names_package.kinds' has no attribute 'Gone'"
    )
    assert injected.__origin__ == Unevaluable("name 'gone' is not defined")


def test_what_means_nothing_is_never_injected() -> None:
    """A class that cannot be found would let anything in."""

    def function(db: Annotated["Gone", Injected]) -> None: ...  # type: ignore[name-defined]  # noqa: F821

    with pytest.raises(DefinitionError, match="parameter 'db': name 'Gone' is not defined"):
        _ = tool(function).spec


def test_bounds_and_new_types_are_looked_up_in_their_modules(package: Any) -> None:
    """A type variable and a new type mean what they say where they are defined, though a helper elsewhere made them."""
    choice = {"type": "string", "enum": ["a"]}

    assert [emit(read().form(one).schema) for one in annotations(package.user.variable)] == [choice] * 3


@pytest.mark.parametrize("name", ["Heir", "HeldHeir"])
def test_a_field_means_what_it_says_in_the_class_that_has_it(package: Any, name: str) -> None:
    """Whether a class is a type or a tool, its inherited fields are looked up in the module of the base."""
    heir = getattr(package.user, name)
    properties = tool(heir).to("json-schema")["properties"]
    field = emit(read().form(heir).schema)["properties"]

    assert properties["kind"] == field["kind"] == {"type": "string", "enum": ["a"]}
    assert properties["size"] == field["size"] == {"type": "integer", "default": 1}


def test_modules_that_name_each_other_are_no_obstacle(package: Any) -> None:
    """An import that leads in a circle, or out of the package, is not followed."""
    assert imported_names("prismpy_names_package.loop") == {
        "TYPE_CHECKING": ("typing", "TYPE_CHECKING"),
        "Self": ("prismpy_names_package.loop", "Self"),
        "Other": ("prismpy_names_package.loop", "Other"),
        "Ring": ("prismpy_names_package.pool", "Ring"),
    }
    assert [emit(read().form(annotation).schema) for annotation in annotations(package.loop.looped)] == [
        {"$ref": "#/$defs/Other"},
        {"$ref": "#/$defs/Ring"},
    ]
    assert imported_names("no such module") == guarded_names("no such module") == {}


class Box(Generic[Item]):
    pass


class Tree:
    class Kind:
        pass

    def grow(self, kind: "Kind", other: Self, kinds: "list[Self] | None", free: int = 1) -> None: ...

    @staticmethod
    def plant(kind: "Kind") -> None: ...

    def __call__(self, kind: "Kind") -> None: ...


def test_the_class_around_a_method_is_looked_in() -> None:
    """Names in its body are found, and `Self` is the class, or the one it was bound to."""

    class Oak(Tree):
        pass

    assert annotations(Oak().grow) == [Tree.Kind, Oak, Optional[list[Oak]], int]
    assert annotations(Tree.plant) == [Tree.Kind]
    assert annotations(Tree()) == [Tree.Kind]


class Shadowing:
    name = None

    @property
    def str(self) -> Any:
        return self

    def list(self) -> None: ...

    @staticmethod
    def made(name: "str", all: "list[str]") -> None: ...  # type: ignore[valid-type]  # which is what is tested

    @staticmethod
    def named(name: "made") -> None: ...  # type: ignore[valid-type]


def test_what_is_no_type_gives_way_to_what_may_be_one() -> None:
    """A property called `str` is no type; where nothing else has the name, it is what was said."""
    assert annotations(Shadowing.made) == [str, list[str]]
    assert annotations(Shadowing.named) == [vars(Shadowing)["made"]]


def test_what_takes_no_arguments_at_run_time_means_the_same_without() -> None:
    """Stubs may say that a class is generic, and variables of an alias may be in texts."""
    Pair = Union[str, list["Item"]]
    space = {"Pair": Pair, "Plain": Shadowing, "Item": int, "seven": 7, "Box": Box}
    texts = ["Plain[int]", "list[Plain[int, str]]", "Pair[int]", "Literal['a'] | Plain[0]"]

    def meaning(text: str) -> Any:
        return evaluated(text, lambda: Scope(({**space, "Literal": Literal},)))

    assert [meaning(text) for text in texts] == [
        Shadowing,
        list[Shadowing],
        Union[str, list[int]],
        Union[Literal["a"], Shadowing],
    ]
    assert meaning("Box[int, str]").reason.startswith("'Box[int, str]' cannot be evaluated: Too many arguments for")
    assert meaning("seven[int]").reason == "'seven[int]' cannot be evaluated: 'int' object is not subscriptable"


def test_what_need_not_be_looked_up_stays_as_it_is() -> None:
    """The parts of callables and classes of classes are not looked at, nor is `Self` without a class."""
    annotation = Callable[["Nowhere"], None]  # type: ignore[name-defined]  # noqa: F821

    assert evaluated(annotation, lambda: Scope(())) is annotation
    assert evaluated(list[Self], lambda: Scope(())) == list[Self]
    assert evaluated(list["int"], lambda: Scope(())) == list[int]
    assert evaluated("None", lambda: Scope(())) is type(None)
