"""For tests of apps: models that follow a script, and checks of what an agent did."""

from ._models import FunctionModel, Scripted, ScriptedModel, reply_of

__all__ = ["FunctionModel", "Scripted", "ScriptedModel", "reply_of"]
