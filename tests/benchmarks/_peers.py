"""
Walk the public callables of packages and let a library make a tool of each, in whatever environment this runs.

The standard library is all that is imported here until a library is asked for: each peer has an environment
of its own, built below a cache folder, and this file runs in it as a script; on Unix only. What is made of the
outcomes is `callables`' business.
"""

from __future__ import annotations

import argparse
import contextlib
import functools
import gc
import hashlib
import importlib
import importlib.metadata
import inspect
import io
import json
import os
import pkgutil
import re
import signal
import subprocess
import sys
import tempfile
import time
import traceback
import types
import venv
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

Outcome: TypeAlias = dict[str, Any]
"""
What became of one callable, as JSON: `where`, `seconds`, `outcome` (`made`, `refused` or `crashed`), and

* of a tool: `schema` and `is_json`, `omitted` (parameter to reason), `names` (property to parameter, where they differ);
* otherwise: `error` (class), `message`, `tail` (innermost frames), and if it was refused `for` (as `Sort` has it).
"""

Make: TypeAlias = Callable[[Any], Outcome]
Sort: TypeAlias = Callable[[BaseException], str]
"""Tells from what was raised why a callable is refused: `no JSON form` of a type, `otherwise`; "" for a crash."""

Maker: TypeAlias = Callable[[], tuple[Make, Sort]]
"""Imports a library; gives what makes a tool, as `schema`, `omitted` and `names`, and what tells its refusals."""

LIMIT = 30.0
"""Seconds a library may take for one tool."""


# --- What is walked -----------------------------------------------------------------------------------------

NOT_WALKED = {
    # opens a window or a browser, prints, or starts something
    *("__main__", "antigravity", "this", "idlelib", "turtledemo", "turtle", "tkinter", "conftest"),
    # no library: tests, samples, copies of other packages, and one class per code page
    *("test", "tests", "lib2to3", "distutils", "xxlimited", "xxlimited_35", "encodings"),
    *("externals", "vendor", "pydantic.v1"),
}
"""Modules, by their whole name or its last part, that are left out with everything in them."""


class Found(NamedTuple):
    """One public callable, where it was met first."""

    where: str
    """`module:name` or `module:Class.method`."""

    package: str
    """`stdlib` or the top-level package."""

    kind: str
    """`function`, `method`, `class` or `object`."""

    value: Any


def walk(packages: Sequence[str], only: str = "") -> list[Found]:
    """
    Public callables of packages, each object once, in an order that depends on names only.

    Args:
        packages: Names to import by; `stdlib` is all of the standard library.

        only: Regular expression that `Found.where` must have a match of.
    """
    found: dict[Any, Found] = {}
    for package in packages:
        for module in _modules(_roots(package)):
            for name, kind, value in _callables(module):
                where = f"{module.__name__}:{name}"
                found.setdefault(_identity(value), Found(where, package, kind, value))
    return [one for one in found.values() if re.search(only, one.where)]


def _roots(package: str) -> list[str]:
    if package != "stdlib":
        return [package]
    return sorted(name for name in sys.stdlib_module_names if not _is_skipped(name))


def _modules(names: Sequence[str]) -> Iterator[types.ModuleType]:
    """Import modules and, if they are packages, everything public inside; what can't be imported is skipped."""
    for name in names:
        if module := _imported(name):
            yield module
            inner = sorted(info.name for info in pkgutil.iter_modules(getattr(module, "__path__", [])))
            yield from _modules([f"{name}.{part}" for part in inner if not _is_skipped(f"{name}.{part}")])


def _imported(name: str) -> types.ModuleType | None:
    quiet = io.StringIO()
    # a module may raise anything, an optional library's wish to be installed being the most common
    with (
        contextlib.suppress(Exception, SystemExit),
        contextlib.redirect_stdout(quiet),
        contextlib.redirect_stderr(quiet),
    ):
        return importlib.import_module(name)
    return None


def _is_skipped(name: str) -> bool:
    last = name.rpartition(".")[2]
    return last.startswith(("_", "test_")) or name in NOT_WALKED or last in NOT_WALKED


def _callables(module: types.ModuleType) -> Iterator[tuple[str, str, Any]]:
    """Give name, kind and object; of classes also the methods that are bound without an instance."""
    for name in _public_names(module):
        value = getattr(module, name, None)
        if not _is_callable(value):
            continue
        yield name, _kind_of(value), value
        if inspect.isclass(value):
            for part, method in sorted(vars(value).items()):
                if not part.startswith("_") and isinstance(method, _BOUND):
                    yield f"{name}.{part}", "method", getattr(value, part)


_BOUND = (staticmethod, classmethod, types.ClassMethodDescriptorType)


def _public_names(module: types.ModuleType) -> list[str]:
    """`__all__`, or else what has no underscore and comes from the same package, be it written in C."""
    listed = getattr(module, "__all__", None)
    if listed is not None:
        return sorted({name for name in listed if isinstance(name, str) and not name.startswith("_")})
    root = module.__name__.partition(".")[0]
    return sorted(name for name, value in vars(module).items() if not name.startswith("_") and _root_of(value) == root)


def _root_of(value: Any) -> str:
    with contextlib.suppress(Exception):  # lazy objects import on access
        return str(getattr(value, "__module__", "")).partition(".")[0].lstrip("_")
    return ""


def _is_callable(value: Any) -> bool:
    """Tell whether it can be called; annotations such as `typing.List` and `Callable[..., int]` only look so."""
    with contextlib.suppress(Exception):
        is_type = type(value).__module__ in {"typing", "typing_extensions"} or isinstance(value, types.GenericAlias)
        return callable(value) and not is_type
    return False


def _kind_of(value: Any) -> str:
    if inspect.isclass(value):
        return "class"
    if inspect.isroutine(value):
        return "function"
    return "function" if hasattr(value, "__wrapped__") else "object"


def _identity(value: Any) -> Any:
    """Tell objects apart; binding makes a new one at each access."""
    if isinstance(value, types.MethodType):
        return id(value.__func__), id(value.__self__)
    if isinstance(value, types.BuiltinMethodType) and inspect.isclass(value.__self__):
        return value.__name__, id(value.__self__)
    return id(value)


# --- Who makes the tools ------------------------------------------------------------------------------------


def _prismpy() -> tuple[Make, Sort]:
    prismpy: Any = importlib.import_module("prismpy")
    opaque: Any = importlib.import_module("prismpy.errors").OpaqueError

    def make(value: Any) -> Outcome:
        made = prismpy.Tool.make(value)
        schema, spec = made.to("json-schema"), made.spec
        return {"schema": schema, "omitted": dict(spec.omitted), "names": dict(spec.binding.names)}

    def sort(error: BaseException) -> str:
        return _OPAQUE if isinstance(error, opaque) else _OTHERWISE * isinstance(error, prismpy.DefinitionError)

    return make, sort


_OPAQUE, _OTHERWISE = "no JSON form", "otherwise"


def _by_pydantic(refusals: type[BaseException]) -> Sort:
    """Sort what a library raises that lets pydantic read types; whether a parameter is required pydantic does not see."""
    user_error: Any = importlib.import_module("pydantic").errors.PydanticUserError

    def sort(error: BaseException) -> str:
        if isinstance(error, user_error):
            return _OPAQUE if error.code in {"schema-for-unknown-type", "invalid-for-json-schema"} else _OTHERWISE
        return _OTHERWISE * isinstance(error, refusals)

    return sort


def _pydantic_ai() -> tuple[Make, Sort]:
    library: Any = importlib.import_module("pydantic_ai")

    def make(value: Any) -> Outcome:
        made = library.Tool(value).function_schema
        if made.single_arg_name is None:
            return {"schema": made.json_schema}
        # a single parameter that is a model is replaced by the model's fields
        definitions = made.json_schema.get("$defs", {})
        inner = {key: part for key, part in made.json_schema.items() if key != "$defs"}
        return {"schema": {"type": "object", "properties": {made.single_arg_name: inner}, "$defs": definitions}}

    return make, _by_pydantic(library.UserError)


def _openai_agents(*, strict: bool) -> tuple[Make, Sort]:
    library: Any = importlib.import_module("agents")

    def make(value: Any) -> Outcome:
        return {"schema": library.function_tool(value, strict_mode=strict).params_json_schema}

    return make, _by_pydantic(library.UserError)


MAKERS: Mapping[str, Maker] = {
    "prismpy": _prismpy,
    "pydantic-ai": _pydantic_ai,
    "openai-agents": lambda: _openai_agents(strict=False),
    "openai-agents, strict": lambda: _openai_agents(strict=True),
}
"""`strict` is openai-agents' own default; it refuses open objects, so that the plain row compares better."""

DISTRIBUTIONS: Mapping[str, str] = {
    "pydantic-ai": "pydantic-ai-slim",
    "openai-agents": "openai-agents",
    "openai-agents, strict": "openai-agents",
}
"""What to install for each peer."""


def outcomes(library: str, found: Sequence[Found]) -> Iterator[Outcome]:
    """Let a library make a tool of each callable."""
    make, sort = MAKERS[library]()
    for i, one in enumerate(found):
        if i % 1000 == 0:
            tell(f"{library}: {i} of {len(found)}")
        yield {"where": one.where, **outcome(make, sort, one.value)}


def tell(progress: str) -> None:
    """Say how far the work has come."""
    print(f"{time.strftime('%H:%M:%S')} {progress}", file=sys.stderr, flush=True)


def outcome(make: Make, sort: Sort, value: Any) -> Outcome:
    start = time.perf_counter()
    try:
        with _time_limit():
            made = make(value)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # noqa: BLE001  # whatever a library lets through is what is measured
        seconds = time.perf_counter() - start
        told = {"error": type(error).__name__, "message": str(error)[:20_000], "tail": _tail(error)}
        reason = sort(error)
        return {"outcome": "refused" if reason else "crashed", "for": reason, "seconds": seconds, **told}
    return {"outcome": "made", "seconds": time.perf_counter() - start, **_as_json(made)}


@contextlib.contextmanager
def _time_limit() -> Iterator[None]:
    def stop(*_: Any) -> None:
        msg = f"took more than {LIMIT:g} s"
        raise TimeoutError(msg)

    signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, LIMIT)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def _tail(error: BaseException) -> list[str]:
    """The three innermost frames: file from its package on, line, function."""
    frames = traceback.extract_tb(error.__traceback__)[-3:]
    return [f"{'/'.join(Path(frame.filename).parts[-3:])}:{frame.lineno} {frame.name}" for frame in frames]


def _as_json(made: Outcome) -> Outcome:
    """Write a schema as JSON; one that is none keeps what can be read of it, as text."""
    try:
        schema, is_json = json.loads(json.dumps(made["schema"], allow_nan=False)), True
    except (TypeError, ValueError, RecursionError):
        schema, is_json = _readable(made["schema"]), False
    names = {wire: name for wire, name in made.get("names", {}).items() if wire != name}
    return {"schema": schema, "is_json": is_json, "omitted": made.get("omitted", {}), "names": names}


def _readable(value: Any, depth: int = 50) -> Any:
    if isinstance(value, dict) and depth:
        return {str(key): _readable(item, depth - 1) for key, item in value.items()}
    if isinstance(value, list) and depth:
        return [_readable(item, depth - 1) for item in value]
    return value if isinstance(value, str | int | None) else repr(value)[:200]


# --- Each in an environment of its own ----------------------------------------------------------------------


def run(library: str, packages: Sequence[str], only: str, cache: Path) -> tuple[str, list[Outcome]]:
    """Give the version and the outcomes of a library, run in a process, and a peer in an environment, of its own."""
    python, variables = sys.executable, dict(os.environ)
    if library in DISTRIBUTIONS:
        distribution = DISTRIBUTIONS[library]
        python = str(environment(distribution, packages, cache))
        variables.pop("PYTHONPATH", None)
        others = _in_another_version(distribution, Path(python).parents[1])
        packages = [package for package in packages if not others & {_name(pin) for pin in _pins(package)}]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "outcomes.jsonl"
        # -P: this folder holds modules called `callables` and `docstrings`, which no package means
        command = [python, "-P", __file__, library, str(file), only, *packages]
        subprocess.run(command, env=variables, stdout=subprocess.DEVNULL, check=True)
        release, *rest = map(json.loads, file.read_text(encoding="utf-8").splitlines())
    return release, rest


def environment(distribution: str, packages: Sequence[str], cache: Path) -> Path:
    """Build an environment with a peer and the packages, all in the versions that are installed here."""
    wanted = sorted({pin for package in packages for pin in _pins(package)})
    installed = {f"{one.name}=={one.version}" for one in importlib.metadata.distributions() if one.name != "prismpy"}
    recipe = "\n".join([sys.version, distribution, *wanted, *sorted(installed)])
    folder = cache / f"{distribution}-{hashlib.sha256(recipe.encode()).hexdigest()[:12]}"
    python = folder / "bin" / "python"
    done = folder / "complete"
    if not done.exists():
        venv.create(folder, with_pip=True, clear=True)
        _install(python, "--no-deps", distribution)
        others = _in_another_version(distribution, folder)
        constraints = folder / "constraints.txt"
        constraints.write_text(
            "\n".join(pin for pin in sorted(installed) if _name(pin) not in others), encoding="utf-8"
        )
        fitting = [pin for pin in wanted if _name(pin) not in others]
        _install(python, "--constraint", str(constraints), distribution, *fitting)
        done.touch()
    return python


def _install(python: Path, *arguments: str) -> None:
    subprocess.run([python, "-m", "pip", "install", "-qq", *arguments], check=True)


def _in_another_version(distribution: str, folder: Path) -> set[str]:
    """Name what an environment cannot have as it is installed here: the peer wants it newer or older."""
    paths = [str(path) for path in folder.glob("lib/python*/site-packages")]
    (peer,) = importlib.metadata.distributions(name=distribution, path=paths)
    requirements = importlib.import_module("packaging.requirements")  # which peers' environments may not have
    needs = [requirements.Requirement(text) for text in peer.requires or ()]
    needs = [need for need in needs if need.marker is None or need.marker.evaluate({"extra": ""})]
    others = {_canonical(need.name) for need in needs if not _is_met(need)}
    if others:
        tell(f"{distribution} wants {', '.join(sorted(others))} in another version; what is in there counts as absent")
    return others


def _is_met(need: Any) -> bool:
    """Tell whether what is installed here, if anything, will do."""
    with contextlib.suppress(importlib.metadata.PackageNotFoundError):
        return importlib.metadata.version(need.name) in need.specifier
    return True


def _canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _name(pin: str) -> str:
    return _canonical(pin.partition("==")[0])


def _pins(package: str) -> list[str]:
    return [f"{name}=={importlib.metadata.version(name)}" for name in _distributions().get(package, [])]


@functools.cache
def _distributions() -> Mapping[str, list[str]]:
    """Return the packages that can be imported, and what they come from; it takes long to find out."""
    return importlib.metadata.packages_distributions()


def release(distribution: str) -> str:
    """Give the version that is installed; prismpy may be read from the checkout as it is."""
    with contextlib.suppress(importlib.metadata.PackageNotFoundError):
        return importlib.metadata.version(distribution)
    return "checkout"


def module(name: str, distribution: str, cache: Path) -> dict[str, Any]:
    """Give the arguments of a process that runs a module of this folder in the environment of a distribution."""
    python = sys.executable if distribution == "prismpy" else environment(distribution, (), cache)
    variables = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return {"args": [str(python), "-m", f"tests.benchmarks.{name}"], "env": variables, "cwd": Path(__file__).parents[2]}


def main() -> None:
    parser = argparse.ArgumentParser(description="Let one library make all tools; `callables` starts this.")
    parser.add_argument("library", choices=MAKERS)
    parser.add_argument("file", type=Path, help="gets an outcome a line, as JSON")
    parser.add_argument("only", help="regular expression for `module:name`")
    parser.add_argument("packages", nargs="+")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    found = walk(options.packages, options.only)
    gc.collect()
    gc.freeze()  # what the packages hold is no library's cost
    with options.file.open("w", encoding="utf-8") as file:
        file.write(json.dumps(release(DISTRIBUTIONS.get(options.library, options.library))) + "\n")
        file.writelines(json.dumps(outcome) + "\n" for outcome in outcomes(options.library, found))


if __name__ == "__main__":
    main()
