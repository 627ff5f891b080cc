"""The file that holds a snapshot of what models are told of tools."""

import json
from collections.abc import Collection
from pathlib import Path
from typing import Final

from prismpy.review import snapshot
from prismpy.schema import JSON

from ._contents import Contents
from ._export import check_names
from ._usage import UsageError, words

LOCK: Final = "prismpy.lock.json"
"""Where a snapshot goes, and is looked for, unless told otherwise."""


def snapshot_of(contents: Contents, providers: Collection[str]) -> JSON:
    """
    Take a snapshot of the tools of a target, for some providers or for all.

    Raises:
        DefinitionError: if two tools have the same name.
    """
    check_names(contents)
    return snapshot([made.spec for made in contents.tools], providers)


def write_lock(file: Path, lock: JSON) -> None:
    """
    Write a snapshot, a value a line, so that it reads well in a comparison.

    Raises:
        OSError: if the file cannot be written.
    """
    file.write_text(
        json.dumps(lock, ensure_ascii=False, indent=2) + "\n", encoding="utf-8", errors="backslashreplace", newline="\n"
    )


def read_lock(file: Path) -> JSON:
    """
    Read a snapshot; whether it is one is seen when it is compared.

    Raises:
        UsageError: if the file cannot be read, or is no JSON.
    """
    try:
        return json.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        msg = f"{file} is no file; write one with `prismpy lock`"
        raise UsageError(msg) from error
    except (OSError, ValueError) as error:
        msg = f"{file} cannot be read: {words(error)}; write it anew with `prismpy lock`"
        raise UsageError(msg) from error
