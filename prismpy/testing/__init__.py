"""For tests of apps: models that follow a script, tools that answer without being run, and checks of what happened."""

from ._checks import assert_called, assert_not_called, assert_order, assert_valid
from ._fakes import faked
from ._models import FunctionModel, Scripted, ScriptedModel, reply_of
from ._recordings import recording, replaying

__all__ = [
    "FunctionModel",
    "Scripted",
    "ScriptedModel",
    "assert_called",
    "assert_not_called",
    "assert_order",
    "assert_valid",
    "faked",
    "recording",
    "replaying",
    "reply_of",
]
