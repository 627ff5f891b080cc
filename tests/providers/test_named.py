"""Models by name, and where they are asked."""

import pytest

from prismpy import DefinitionError, OpenAIModel, UnknownProviderError, known_servers, model
from prismpy.codecs import chat_quirks
from prismpy.providers._address import address
from prismpy.providers._servers import COMPATIBLE, COMPATIBLE_ANTHROPIC, server, server_at


@pytest.fixture(autouse=True)
def bare(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take away what this machine's environment says."""
    for name in known_servers():
        row = server(name)
        for variable in (*row.keys, row.url_variable or "X"):
            monkeypatch.delenv(variable, raising=False)


def test_a_name_says_server_and_model(monkeypatch: pytest.MonkeyPatch) -> None:
    """What stands before the first colon is the server; the rest is the model's, colons and all."""
    monkeypatch.setenv("OPENROUTER_API_KEY", "sk-or")

    found = model("openrouter:minimax/minimax-m2:free")

    assert (found.provider, found.model_name, found.dialect, found.tool_dialect) == (
        "openrouter",
        "minimax/minimax-m2:free",
        "openai",
        "openai-compatible",
    )


@pytest.mark.parametrize("name", ["gpt-4.1", "openai:", ""])
def test_a_name_without_both_halves_is_refused(name: str) -> None:
    """The error lists the servers."""
    with pytest.raises(DefinitionError, match=r"say SERVER:NAME, where SERVER is one of .*groq"):
        model(name)


def test_an_unknown_server_is_refused() -> None:
    """The error lists the known ones."""
    with pytest.raises(UnknownProviderError, match=r"unknown provider 'grok'; known are .*groq"):
        model("grok:x")


def test_without_a_key_nothing_is_built() -> None:
    """The error names the variables, before anything is sent."""
    with pytest.raises(DefinitionError, match="gemini: there is no API key; set GEMINI_API_KEY or GOOGLE_API_KEY"):
        model("gemini:x")


def test_keys_and_urls_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first variable that is set wins; a URL may have a part from there."""
    monkeypatch.setenv("DATABRICKS_HOST", "https://dbc.example/")
    monkeypatch.setenv("DATABRICKS_TOKEN", "dapi")

    assert address(server("databricks"), None, None) == {
        "api_key": "dapi",
        "base_url": "https://dbc.example/serving-endpoints",
    }


def test_what_is_given_wins(monkeypatch: pytest.MonkeyPatch) -> None:
    """Over the environment and over the table."""
    monkeypatch.setenv("GROQ_API_KEY", "env")

    assert address(server("groq"), "given", "http://here/v1") == {"api_key": "given", "base_url": "http://here/v1"}


def test_a_url_from_the_environment_wins_over_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the server's own tools read one."""
    monkeypatch.setenv("OLLAMA_BASE_URL", "http://box:11434/v1")

    assert address(server("ollama"), None, None) == {"api_key": "none", "base_url": "http://box:11434/v1"}


def test_a_server_without_a_place_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """The error names the variable."""
    monkeypatch.delenv("AZURE_OPENAI_ENDPOINT", raising=False)

    with pytest.raises(DefinitionError, match="azure: nobody says where it is; set AZURE_OPENAI_ENDPOINT"):
        address(server("azure"), "k", None)


def test_a_known_server_is_recognised_by_its_host() -> None:
    """Whoever gives the URL of DeepSeek to `OpenAIModel` speaks to DeepSeek."""
    assert OpenAIModel("x", "key", "https://api.deepseek.com/v1").provider == "deepseek"
    assert OpenAIModel("x", base_url="http://10.0.0.7/v1").provider == "compatible"
    assert server_at("http://10.0.0.7/v1", "openai-chat") is None
    assert address(COMPATIBLE, None, "http://10.0.0.7/v1")["api_key"] == "none"


def test_every_server_is_described() -> None:
    """A row has a place to read its facts."""
    assert [name for name in known_servers() if not server(name).source] == []


def test_what_only_the_maker_documents_goes_nowhere_else() -> None:
    """Beside OpenAI, Azure does; what speaks Anthropic's messages is told what somebody set for a tool."""
    found = {name: server(name).tool_dialect for name in known_servers()}
    whole = {"openai", "openai-responses", "azure", "azure-responses", "anthropic", "deepseek-anthropic"}

    assert {name for name, dialect in found.items() if not dialect.endswith("-compatible")} == whole
    assert (COMPATIBLE.tool_dialect, COMPATIBLE_ANTHROPIC.tool_dialect) == ("openai-compatible", "anthropic")
    assert {name for name in found if chat_quirks(name).custom_tools} == {
        name for name, dialect in found.items() if dialect == "openai"
    }
