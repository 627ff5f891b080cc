"""Importing what a target names: a module as Python finds it, or a file as it stands."""

import ast
import importlib
import importlib.util
import pkgutil
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.machinery import PathFinder, SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType

from prismpy.schema import cut, nearest

from ._usage import UsageError, words


def import_place(place: str) -> ModuleType:
    """
    Import a module or a Python file.

    Args:
        place: `package.module`, looked for in the current folder first; or the path of a file, whose folder is then
            looked in first, as with `python file.py`. A file that imports from its package by dots is a module of that.

    Raises:
        UsageError: if there is no such thing, or if it raises while it is imported.
    """
    try:
        return _import_file(place) if _is_path(place) else _import_module(place, Path.cwd(), place)
    except OSError as error:
        msg = f"{place}: {words(error)}"
        raise UsageError(msg) from error


def _is_path(place: str) -> bool:
    return place.endswith(".py") or "/" in place or "\\" in place or place in {".", ".."}


def submodules(module: ModuleType) -> list[str]:
    """Name the modules of a package, without the package's own name; a plain module has none."""
    return [found.name for found in pkgutil.iter_modules(getattr(module, "__path__", ()))]


# --- files --------------------------------------------------------------------


def _import_file(place: str) -> ModuleType:
    path = Path(place).resolve()
    if not path.is_file():
        known = sorted(file.name for file in (path if path.is_dir() else path.parent).glob("*.py"))
        kind, near = ("is a folder", _listed(known)) if path.is_dir() else ("is no file", nearest(path.name, known))
        msg = f"{place} {kind}; name a Python file or a module{near}"
        raise UsageError(msg)
    if (package := _package_of(path)) is not None and _imports_by_dots(path):
        folder, name = package
        return _import_module(name, folder, place)
    with _looking_in(path.parent, place):
        return _execute(path, None)


def _package_of(path: Path) -> tuple[Path, str] | None:
    """Return the folder that the outermost package of a file is in, and the file's name as a module; None for none."""
    folder, parts = path.parent, [] if path.stem == "__init__" else [path.stem]
    while (folder / "__init__.py").is_file():
        folder, parts = folder.parent, [folder.name, *parts]
    return None if folder == path.parent else (folder, ".".join(parts))


def _imports_by_dots(path: Path) -> bool:
    try:
        tree = ast.parse(path.read_bytes())
    except (SyntaxError, ValueError):  # told when it is imported
        return False
    return any(isinstance(node, ast.ImportFrom) and node.level for node in ast.walk(tree))


class _FileAsItStands(SourceFileLoader):
    """Loads a file with no look at what an earlier version left in `__pycache__`."""

    def get_code(self, fullname: str) -> CodeType:  # noqa: ARG002  # the loader knows its file
        code: CodeType = self.source_to_code(self.get_data(self.path), self.path)
        return code


def _execute(path: Path, folders: list[str] | None) -> ModuleType:
    """Run a file as a module of its own; with folders to find submodules in, as a package."""
    name = _free_name(path.parent.name if folders else path.stem, path)
    spec = importlib.util.spec_from_file_location(
        name, path, loader=_FileAsItStands(name, str(path)), submodule_search_locations=folders
    )
    assert spec is not None  # noqa: S101  # a loader was given
    assert spec.loader is not None  # noqa: S101
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def _free_name(wanted: str, path: Path) -> str:
    """Name a file's module by the file, unless that is the name of another module in use."""
    name = wanted.replace(".", "_")
    while name in sys.modules and not _is_from(path, sys.modules[name]):
        name += "_"
    return name


def _is_from(path: Path, module: ModuleType) -> bool:
    return Path(getattr(module, "__file__", None) or "").resolve() == path.resolve()


# --- modules ------------------------------------------------------------------


def _import_module(name: str, here: Path, place: str) -> ModuleType:
    top, *rest = name.split(".")
    if not all([top, *rest]):
        msg = f"{name!r} names no module; write it as package.module"
        raise UsageError(msg)
    with _looking_in(here, place):
        if top in sys.modules and (own := _own_instead(sys.modules[top], here)) is not None:
            return importlib.import_module(".".join([own.__name__, *rest])) if rest else own
        try:
            return importlib.import_module(name)
        except ModuleNotFoundError as error:
            if error.name and f"{name}.".startswith(f"{error.name}."):  # else, something in it is missing
                raise UsageError(_unknown(name, error.name)) from error
            raise


def _own_instead(loaded: ModuleType, here: Path) -> ModuleType | None:
    """
    Import what a folder has under the name of a module that comes from elsewhere, if it has anything.

    Python and this command have loaded many modules by now; they must not stand in for the user's own.
    """
    spec = PathFinder.find_spec(loaded.__name__, [str(here)])
    if spec is None or spec.origin is None or _is_from(Path(spec.origin), loaded):
        return None
    return _execute(Path(spec.origin), spec.submodule_search_locations)


# --- what can go wrong --------------------------------------------------------


@contextmanager
def _looking_in(folder: Path, place: str) -> Iterator[None]:
    """Make a folder the first that is looked in, from now on, and explain what is raised meanwhile."""
    if sys.path[:1] != [str(folder)]:
        sys.path.insert(0, str(folder))
    importlib.invalidate_caches()
    try:
        yield
    except (KeyboardInterrupt, UsageError):
        raise
    except BaseException as error:
        msg = f"{place} cannot be imported: {cut(words(error), 500)}{_line_of(error, folder)}"
        raise UsageError(msg) from error


def _line_of(error: BaseException, folder: Path) -> str:
    """Say which line of the target's own code raised an exception, if one did."""
    lines = [frame for frame in traceback.extract_tb(error.__traceback__) if Path(frame.filename).parent == folder]
    return f" ({Path(lines[-1].filename).name}, line {lines[-1].lineno})" if lines else ""


def _unknown(place: str, missing: str) -> str:
    """Explain that a module is missing, itself or a package on the way to it."""
    package, _, name = missing.rpartition(".")
    if not package:
        # Python's own list has modules of other systems too, perhaps the one that is missing
        known = {found.name for found in pkgutil.iter_modules()} | sys.stdlib_module_names
        return f"there is no module {missing!r}{nearest(missing, sorted(known - {missing}))}"
    parent = sys.modules[package]
    if hasattr(parent, name):
        return f"there is no module {missing!r}; for what is in {package}, write {package}:{place[len(package) + 1 :]}"
    return f"there is no module {missing!r}{nearest(name, submodules(parent))}"


def _listed(names: list[str]) -> str:
    return f", such as {', '.join(names[:5])}" if names else ""
