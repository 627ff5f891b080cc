"""
Build the reference from the docstrings: HTML, one page for each module that people import from.

    python docs/build.py FOLDER

Warnings are errors. It needs pdoc, which `pip install -e ".[dev]"` brings.
"""

import sys
import warnings
from pathlib import Path

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
    pdoc.render.configure(docformat="google", show_source=False, footer_text="prismpy")
    pdoc.pdoc(*MODULES, output_directory=folder)


if __name__ == "__main__":
    build(Path(sys.argv[1]))
