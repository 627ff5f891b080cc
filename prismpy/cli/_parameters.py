"""Parameters that several commands have."""

from typing import Annotated

import typer

Target = Annotated[
    str,
    typer.Argument(
        metavar="TARGET", help="module, file.py or file.json, and :object for one thing in it, which may be dotted."
    ),
]
AsJSON = Annotated[bool, typer.Option("--json", help="Answer with one JSON object.")]
