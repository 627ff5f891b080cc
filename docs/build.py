"""
Build the reference from the docstrings: HTML, one page for each module that people import from.

    python docs/build.py FOLDER

Warnings are errors. It needs pdoc, which `pip install -e ".[dev]"` brings.
"""

import sys
import warnings
from pathlib import Path
from typing import Any

MODULES = (
    "prismpy",
    "prismpy.artifacts",
    "prismpy.assistant",
    "prismpy.contexts",
    "prismpy.events",
    "prismpy.providers",
    "prismpy.testing",
    "prismpy.toolkits",
    "prismpy.types",
)


def build(folder: Path) -> None:
    """
    Write the reference.

    Args:
        folder: Made where there is none.
    """
    import pdoc
    import pdoc.render

    warnings.simplefilter("error")
    # the keys of a TypedDict are annotations, which no module can be asked about
    warnings.filterwarnings("ignore", "Cannot determine where", UserWarning)
    pdoc.render.configure(
        docformat="google",
        show_source=False,
        footer_text="prismpy",
        template_directory=Path(__file__).parent / "templates",
    )
    pdoc.render.env.filters["shown"] = shown
    pdoc.pdoc(*MODULES, output_directory=folder)


def shown(described: Any, module: Any) -> list[Any]:
    """
    Return what a class has of its own, and what it has of classes of ours that are on no page.

    Args:
        described: A class, as pdoc has it.

        module: The module whose page it is on.
    """
    on_the_page = (module.members.get(base.__name__) for base in described.obj.__mro__[1:])
    elsewhere = {name for base in on_the_page if base is not None for name in base.members}
    inherited = (
        member
        for (home, _), members in described.inherited_members.items()
        if home.startswith("prismpy.")
        for member in members
        if member.name not in elsewhere
    )
    return [*described.own_members, *inherited]


if __name__ == "__main__":
    build(Path(sys.argv[1]))
