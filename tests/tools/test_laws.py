"""Law 6, all the way: what the schema of a tool accepts reaches the handler as the annotated types."""

import datetime
from typing import Annotated, Any, NotRequired, TypedDict, Unpack

import annotated_types
import attrs
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from prismpy import tool
from prismpy.schema import emit
from prismpy.types import ConversionError, is_of, load_with, read, to_json
from tests.strategies import values_for
from tests.types.test_laws import ANNOTATIONS, is_instance


def taking(annotation: Any, default: Any = attrs.NOTHING) -> tuple[Any, list[Any]]:
    """Return a function with one parameter, and what it was given so far."""
    given: list[Any] = []

    def handler(value: Any) -> None:
        given.append(value)

    handler.__annotations__["value"] = annotation
    return handler, given


@pytest.mark.parametrize("annotation", ANNOTATIONS, ids=str)
@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])
@given(data=st.data())
def test_a_handler_gets_what_it_was_annotated_with(annotation: Any, data: st.DataObject) -> None:
    """Arguments that the schema accepts are converted, and are the same JSON when dumped again and sent again."""
    handler, got = taking(annotation)
    made = tool(handler)
    schema = made.to("json-schema")
    json = data.draw(values_for(schema["properties"]["value"], schema.get("$defs", {})))
    result = made.run({"value": json})
    if result.is_error:  # the schema has no word for what is wrong
        assert {problem.rule for problem in result.problems} == {"convert"}
        return
    again = made.run({"value": to_json(got[0])})

    assert is_instance(got[0], annotation)
    assert not again.is_error
    assert got[1] == got[0]


@pytest.mark.parametrize("annotation", ANNOTATIONS, ids=str)
@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])
@given(data=st.data())
def test_a_default_means_the_same_as_sending_it(annotation: Any, data: st.DataObject) -> None:
    """Whether it is written as JSON or as the value, what is shown of it loads to what stands in for it."""
    reader = read()
    form = reader.form(annotation)
    json = data.draw(values_for(emit(form.schema), reader.definitions))
    try:
        written = [json, load_with(form, json)]
    except ConversionError:
        written = [json]
    for default in written:
        handler, got = taking(annotation)
        handler.__defaults__ = (default,)
        made = tool(handler)
        schema = made.to("json-schema")["properties"]["value"]
        made.run({})
        made.run({})

        assert "default" not in schema or not made.run({"value": schema["default"]}).is_error
        assert all(value == got[0] for value in got) or (got[0] is default and is_of(default, annotation))
        assert "default" not in schema or isinstance(default, int | float) or is_instance(got[0], annotation)


class Options(TypedDict):
    until: datetime.date
    tags: NotRequired[set[str]]
    size: NotRequired[Annotated[int, annotated_types.Ge(1)]]


@settings(deadline=None)
@given(data=st.data())
def test_unpacked_keywords_are_parameters(data: st.DataObject) -> None:
    """Each key of the TypedDict behind `**kwargs` is one, required or not, converted like any other."""
    got: list[Any] = []

    def plan(**options: Unpack[Options]) -> None:
        got.append(options)

    made = tool(plan)
    schema = made.to("json-schema")
    json = data.draw(values_for(schema, {}))

    assert schema["required"] == ["until"]
    assert list(schema["properties"]) == ["until", "tags", "size"]
    assert not made.run(json).is_error
    assert got[0].keys() == json.keys()
    assert type(got[0]["until"]) is datetime.date
    assert type(got[0].get("tags", set())) is set
