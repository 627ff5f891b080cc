"""The models of real providers, through their own SDKs, which load when a model is first asked."""

from ._anthropic_model import AnthropicModel
from ._codecs import codec
from ._model import Model
from ._models import OpenAIModel
from ._named import model
from ._responses_model import OpenAIResponsesModel
from ._servers import known_servers
from ._wire import Opened, Transport, WireModel

__all__ = [
    "AnthropicModel",
    "Model",
    "OpenAIModel",
    "OpenAIResponsesModel",
    "Opened",
    "Transport",
    "WireModel",
    "codec",
    "known_servers",
    "model",
]
