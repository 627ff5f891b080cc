"""Reading a callable's own account of itself."""

import datetime
import decimal
import functools
import inspect
import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any, Self, TypedDict

import pytest

from prismpy import DefinitionError
from prismpy.tools import name_of, snake_case
from prismpy.tools._given import NOTHING
from prismpy.tools._signature import Parameter, Signature, read_signature
from prismpy.types import Unevaluable, hints_of
from prismpy.types._modules import guarded_names


def plain(a: int, /, b: "str" = "x", *rest: int, c: Annotated[float, "note"], **more: Any) -> None:
    """Do it."""


class Desk:
    """A desk."""

    def __init__(self, size: int = 1) -> None:
        """Build it."""

    def method(self, n: int) -> int:
        """Multiply."""
        return n

    @classmethod
    def build(cls, n: int) -> "Desk":
        """Build one."""
        return cls(n)

    @staticmethod
    def free(n: int) -> int:
        """Stand free."""
        return n

    def __call__(self, n: int) -> int:
        return n


class Documented:
    def __call__(self, n: int) -> int:
        """Call it."""
        return n


class Bench(Desk):
    pass


class CallableDesk(Documented):
    """Called as said."""


def timed(function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    def inner(*args: Any, **kwargs: Any) -> Any:
        return function(*args, **kwargs)

    return inner


N = (Parameter("n", int),)


@pytest.mark.parametrize(
    ("handler", "signature"),
    [
        (
            plain,
            Signature(
                "plain",
                "Do it.",
                (
                    Parameter("a", int, positional_only=True),
                    Parameter("b", str, "x"),
                    Parameter("c", Annotated[float, "note"]),
                ),
                takes_any=True,
                variadic="rest",
                returns=type(None),
            ),
        ),
        (lambda x, y=1: x, Signature("", "", (Parameter("x"), Parameter("y", NOTHING, 1)), takes_any=False)),
        (Desk().method, Signature("method", "Multiply.", N, takes_any=False, returns=int)),
        (Desk.build, Signature("build", "Build one.", N, takes_any=False, returns=Desk)),
        (Desk.free, Signature("free", "Stand free.", N, takes_any=False, returns=int)),
        (Desk(), Signature("desk", "A desk.", N, takes_any=False, returns=int)),
        (Documented(), Signature("documented", "Call it.", N, takes_any=False, returns=int)),
        (
            Desk,
            Signature(
                "Desk",
                "A desk.",
                (Parameter("size", int, 1),),
                takes_any=False,
                constructor_doc="Build it.",
                returns=type(None),
            ),
        ),
        (
            Bench,
            Signature(
                "Bench",
                "",
                (Parameter("size", int, 1),),
                takes_any=False,
                constructor_doc="Build it.",
                more_docs=("A desk.",),
                returns=type(None),
            ),
        ),
        (
            CallableDesk(),
            Signature("callable_desk", "Call it.", N, takes_any=False, more_docs=("Called as said.",), returns=int),
        ),
        (timed(Desk.free), Signature("free", "Stand free.", N, takes_any=False, returns=int)),
        (
            functools.partial(plain, 1, c=2.0),
            Signature(
                "plain",
                "Do it.",
                (Parameter("b", str, "x"),),
                takes_any=True,
                variadic="rest",
                bound=frozenset({"c"}),
                returns=type(None),
            ),
        ),
        (
            functools.partial(functools.partial(Desk().method), n=1),
            Signature("method", "Multiply.", (), takes_any=False, bound=frozenset({"n"}), returns=int),
        ),
        (
            math.sqrt,
            Signature("sqrt", math.sqrt.__doc__ or "", (Parameter("x", positional_only=True),), takes_any=False),
        ),
    ],
)
def test_every_kind_of_callable_is_read(handler: Callable[..., Any], signature: Signature) -> None:
    """Name, text and parameters come from the function behind; what is bound is left out."""
    assert read_signature(handler) == signature


def test_an_unresolvable_name_fails_its_own_parameter_only() -> None:
    """The other annotations of the function are evaluated all the same."""

    class Local:
        pass

    def function(a: "Nowhere", b: "int", c: "Local", d: int) -> None:  # type: ignore[name-defined]  # noqa: F821
        pass

    assert read_signature(function).parameters == (
        Parameter("a", Unevaluable("'Nowhere' cannot be evaluated: name 'Nowhere' is not defined")),
        Parameter("b", int),
        Parameter("c", Local),
        Parameter("d", int),
    )


def test_a_local_class_that_the_function_uses_is_found() -> None:
    """What a function closes over can be named in its annotations, even where another name cannot."""

    class Local:
        pass

    def function(a: "Local", b: "Nowhere") -> Local:  # type: ignore[name-defined]  # noqa: F821
        return Local()

    assert read_signature(function).parameters[0] == Parameter("a", Local)


def test_a_variable_that_is_filled_later_is_no_obstacle() -> None:
    """A closure over a name without a value yet leaves that name unresolved."""

    def function(a: "Later") -> Any:  # type: ignore[name-defined]  # noqa: F821
        return later

    read = read_signature(function)
    later = 1

    assert read.parameters[0].annotation == Unevaluable("'Later' cannot be evaluated: name 'Later' is not defined")
    assert function(later) == 1


def test_a_method_of_a_local_class_that_is_not_bound_is_recognised() -> None:
    """Where the class cannot be looked up, `self` tells; a local function may have a first parameter of that name."""

    class Local:
        def method(self, n: int) -> int:
            return n

        @staticmethod
        def free(n: int) -> int:
            return n

    def function(self: int) -> int:
        return self

    with pytest.raises(DefinitionError, match="and not bound; take it from an instance"):
        read_signature(Local.method)
    assert [p.name for p in read_signature(Local.free).parameters] == ["n"]
    assert [p.name for p in read_signature(function).parameters] == ["self"]


def test_a_signature_set_by_hand_wins() -> None:
    """Decorators say with `__signature__` what their function takes now."""

    def function(day: datetime.date) -> None: ...

    @functools.wraps(function)
    def taking_text(day: str) -> None: ...

    parameter = inspect.Parameter("day", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation="str")
    taking_text.__signature__ = inspect.Signature([parameter])  # type: ignore[attr-defined]

    assert read_signature(taking_text).parameters == (Parameter("day", str),)


def test_an_annotation_may_raise_anything() -> None:
    """It fails its own parameter, whatever evaluating it raises."""

    def function(a: "1/0", b: int = 1) -> None:  # type: ignore[valid-type]
        pass

    assert read_signature(function).parameters[0].annotation == Unevaluable(
        "'1/0' cannot be evaluated: division by zero"
    )


def test_a_builtin_with_a_text_signature_is_read() -> None:
    """Parameters of C functions can be passed by place only."""
    assert read_signature(dict.fromkeys).parameters == (
        Parameter("iterable", positional_only=True),
        Parameter("value", NOTHING, None, positional_only=True),
    )


@pytest.mark.parametrize(
    ("handler", "start", "advice"),
    [
        (3, "3 cannot be called; ", "a tool needs a function, a bound method or an object with __call__"),
        (
            Desk.method,
            "tests.tools.test_signature.method is a method of Desk and not bound",
            "; take it from an instance",
        ),
        (iter, "builtins.iter does not tell its parameters (", "; wrap it in a function that names them"),
    ],
)
def test_what_does_not_tell_its_parameters_is_refused(handler: Any, start: str, advice: str) -> None:
    """The error names the callable and says what to do."""
    with pytest.raises(DefinitionError) as caught:
        read_signature(handler)

    assert str(caught.value).startswith(start)
    assert str(caught.value).endswith(advice)


@pytest.mark.parametrize(
    ("name", "snake"),
    [("StoreMemory", "store_memory"), ("HTTPGet", "http_get"), ("already_snake", "already_snake"), ("A1B", "a1_b")],
)
def test_class_names_become_function_names(name: str, snake: str) -> None:
    """Words are cut at capitals, abbreviations kept together."""
    assert snake_case(name) == snake


def test_a_lambda_has_no_name() -> None:
    """`<lambda>` is no name that a model should see."""
    assert name_of(lambda: None) == ""


if TYPE_CHECKING:
    from decimal import Decimal

    import a_module_that_is_not_installed

    Money = Decimal | int


def guarded(a: "Decimal", b: "Money", c: "a_module_that_is_not_installed.Thing") -> None:
    pass


class Guarded(TypedDict):
    price: "Decimal"


def test_names_for_type_checkers_only_are_found() -> None:
    """What stands under `if TYPE_CHECKING:` is looked up when an annotation needs it, and fails alone if it is missing."""
    a, b, c = read_signature(guarded).parameters

    assert (a.annotation, b.annotation) == (decimal.Decimal, decimal.Decimal | int)
    assert c.annotation.reason.endswith("name 'a_module_that_is_not_installed' is not defined")
    assert hints_of(Guarded) == {"price": decimal.Decimal}
    assert guarded_names("no such module") == {}
    assert guarded_names("builtins") == {}


def test_a_class_without_signature_is_read_by_its_constructor() -> None:
    """Exceptions take anything."""
    assert read_signature(ValueError) == Signature(
        "ValueError", ValueError.__doc__ or "", (), takes_any=True, variadic="args"
    )


class Handing(type):
    """A metaclass as those of singletons are."""

    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        return super().__call__(*args, **kwargs)


class Single(metaclass=Handing):
    def __init__(self, n: int) -> None: ...


class Made:
    def __new__(cls, *args: Any, **kwargs: Any) -> Self:
        return super().__new__(cls)

    def __init__(self, n: int) -> None: ...


class Born:
    def __new__(cls, n: int) -> Self:
        return super().__new__(cls)

    def __init__(self, *args: Any, **kwargs: Any) -> None: ...


class Choosing(type):
    def __call__(cls, n: int) -> Any:
        return super().__call__(str(n))


class Chosen(metaclass=Choosing):
    def __init__(self, text: str) -> None: ...


@pytest.mark.parametrize("kind", [Single, Made, Born, Chosen])
def test_a_class_is_read_by_what_tells_its_parameters(kind: type) -> None:
    """What hands all arguments on says nothing of them, be it a metaclass, `__new__` or `__init__`."""
    signature = read_signature(kind)

    assert (signature.parameters, signature.takes_any, signature.variadic) == (N, False, "")


class Anything:
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...


def test_a_class_may_take_anything() -> None:
    """Where nothing tells more."""
    assert read_signature(Anything).takes_any
