"""The models of real providers, through their own SDKs, which load when a model is first asked."""

from ._model import Model

__all__ = ["Model"]
