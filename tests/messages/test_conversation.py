"""Conversations as values."""

from prismpy import (
    AssistantMessage,
    CallPart,
    Image,
    ProviderToolPart,
    RefusalPart,
    Text,
    TextPart,
    ThinkingPart,
    ToolCall,
    Usage,
    UserMessage,
)


def test_user_message_takes_words_and_pictures() -> None:
    """A string is text, alone or among other content."""
    picture = Image.from_url("https://example.com/a.png")

    assert UserMessage("hi").content == (Text("hi"),)
    assert UserMessage(["look: ", picture, Text("!")]).content == (Text("look: "), picture, Text("!"))
    assert UserMessage(picture).content == (picture,)
    assert UserMessage(["look: ", picture, "!"]).text == "look: !"


def test_assistant_message_reads_its_parts() -> None:
    """Text, thoughts, refusal and calls are joined from the parts, in order."""
    call = ToolCall("a", "w", {})
    message = AssistantMessage(
        [
            ThinkingPart("hm "),
            TextPart("one "),
            CallPart(call),
            ProviderToolPart("web_search_call"),
            ThinkingPart("so"),
            TextPart("two"),
            RefusalPart("no"),
        ]
    )

    assert (message.text, message.thinking, message.refusal) == ("one two", "hm so", "no")
    assert message.calls == (call,)


def test_usages_add_up() -> None:
    """Each kind of token is summed; what a provider sent belongs to one answer only."""
    total = Usage(1, 2, 3, 4, 1, {"x": 1}) + Usage(10, 20, 30, 40, 10)

    assert total == Usage(11, 22, 33, 44, 11)
    assert total.raw == {}
    assert total.total_tokens == 110
