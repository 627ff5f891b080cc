"""The command `prismpy`: look at tools, export them, and call one. The only room that knows typer and rich."""

from ._app import main

__all__ = ["main"]
