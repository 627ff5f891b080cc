"""A personal assistant with a page that shows its tools at work, on this machine."""

from ._conversations import Conversation, Conversations, Told
from ._home import Home
from ._offline import offline_model
from ._runs import Runs
from ._serve import AddressError, serve
from ._server import LOOPBACK, application
from ._tools import toolbox_of

__all__ = [
    "LOOPBACK",
    "AddressError",
    "Conversation",
    "Conversations",
    "Home",
    "Runs",
    "Told",
    "application",
    "offline_model",
    "serve",
    "toolbox_of",
]
