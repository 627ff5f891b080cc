"""Real tools, exported to providers whose SDKs prismpy does not need, are what those SDKs' own types declare."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.lowering.forms import Form
from tests.shared import corpus_tools, needs_shared

pytestmark = needs_shared


def sdk(name: str) -> Any:
    """Import a module of an SDK; the `dev` extra brings them all."""
    return pytest.importorskip(name, reason=f"{name} is not installed; the extra `dev` brings it")


def gemini() -> Callable[[Any], Any]:
    kind = sdk("google.genai.types").FunctionDeclaration  # refuses keys that it does not know, schemas included
    return kind.model_validate  # type: ignore[no-any-return]


def bedrock() -> Callable[[Any], Any]:
    shape = sdk("botocore.session").get_session().get_service_model("bedrock-runtime").shape_for("ToolConfiguration")
    validator = sdk("botocore.validate").ParamValidator()

    def judge(tool: Any) -> None:
        report = validator.validate({"tools": [tool]}, shape)
        assert not report.has_errors(), report.generate_report()

    return judge


def mistral() -> Callable[[Any], Any]:
    kind = sdk("mistralai.client.models.tool").Tool
    return kind.model_validate  # type: ignore[no-any-return]


def ollama() -> Callable[[Any], Any]:
    kind = sdk("ollama").Tool
    return kind.model_validate  # type: ignore[no-any-return]


@pytest.mark.parametrize(
    ("form", "judge_of"),
    [
        (Form("gemini", False), gemini),
        (Form("gemini-json-schema", False), gemini),
        (Form("bedrock", False), bedrock),
        (Form("bedrock", True), bedrock),
        (Form("mistral", False), mistral),
        (Form("mistral", True), mistral),
        (Form("ollama", False), ollama),
    ],
    ids=str,
)
@pytest.mark.filterwarnings("ignore")  # of SDKs about themselves
def test_real_tools_are_what_the_sdk_takes(form: Form, judge_of: Callable[[], Callable[[Any], Any]]) -> None:
    """All of them, one by one."""
    judge = judge_of()

    for tool in corpus_tools().values():
        judge(tool.to(form.provider, strict=form.strict))
