"""The words and thoughts of a streamed turn: told as they come, and put together as one message would have them."""

from collections.abc import Mapping
from typing import Any

from prismpy.events import Event
from prismpy.messages import ProviderToolPart, RefusalPart, TextPart, ThinkingPart

from ._chat_join import join_numbered, join_runs
from ._chat_parts import detail_text, read_item
from ._chat_voice import Voices
from ._tell import active

THOUGHTS = ("reasoning_content", "reasoning")
"""Keys of thoughts that come as text; a server that sends both says the same in both."""


class Said:
    """Takes the pieces of `content`, of thoughts and of a refusal; they are never empty."""

    def __init__(self, voice: Voices) -> None:
        self._voice = voice
        self._content: list[Any] = []
        self._is_list = False
        self._type = ""
        self._runs = 0
        self._is_heard = False
        self._flat: dict[str, list[str]] = {}
        self._details: list[Mapping[str, Any]] = []
        self._refused: list[str] = []

    def content(self, piece: str | list[Any], told: list[Event]) -> None:
        """Take words, or a list of words and thoughts."""
        if isinstance(piece, str):
            self._item(piece, told)
        else:
            self._is_list = True
            for item in piece:
                if isinstance(item, str | dict):
                    self._item(item, told)

    def _item(self, item: Any, told: list[Event]) -> None:
        if not item:
            return
        self._content.append(item)
        type = "text" if isinstance(item, str) else item.get("type")
        if type != self._type:
            self._type, self._is_heard = type, False
        match read_item(item):
            case TextPart(text=text) if text:
                self._voice.say(told, "text", text)
            case RefusalPart(text=text) if text:
                self._voice.say(told, "refusal", text)
            case ThinkingPart(text=text) if text:
                self._runs += not self._is_heard
                self._is_heard = True
                self._voice.say(told, "thinking", text, self._runs - 1 + bool(self._flat))
            case ProviderToolPart() as part:
                told += active(part, self._voice.message_id)

    def thought(self, key: str, text: str, told: list[Event]) -> None:
        """Take words of a thought; only those of the key that came first are told."""
        self._flat.setdefault(key, []).append(text)
        if key == next(iter(self._flat)):
            self._voice.say(told, "thinking", text)

    def details(self, pieces: list[Mapping[str, Any]], told: list[Event], *, is_alone: bool) -> None:
        """Take OpenRouter's details; they are told where no key of a thought comes along."""
        self._details += pieces
        for piece in pieces if is_alone and not self._flat else ():
            if text := detail_text(piece):
                self._voice.say(told, "thinking", text)

    def refusal(self, text: str, told: list[Event]) -> None:
        """Take words of a refusal."""
        self._refused.append(text)
        self._voice.say(told, "refusal", text)

    def whole(self) -> dict[str, Any]:
        """Return the keys of a message."""
        found: dict[str, Any] = {"content": self._whole_content()}
        found |= {key: "".join(pieces) for key, pieces in self._flat.items()}
        if self._details:
            found["reasoning_details"] = join_numbered(self._details)
        if self._refused:
            found["refusal"] = "".join(self._refused)
        return found

    def _whole_content(self) -> Any:
        if self._is_list:
            items = ({"type": "text", "text": item} if isinstance(item, str) else item for item in self._content)
            return join_runs(items)
        return "".join(self._content) if self._content else None
