"""Laws 2 and 3 for every form in which a provider may be told a schema."""

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from prismpy import Tool
from prismpy.lowering import Lowered
from prismpy.schema import canonical, compile_schema
from tests.lowering.forms import COMPILED, FORMS, Form, answers, is_schema, names_collide, readable, without_nulls
from tests.schemas import schemas_with_values
from tests.strategies import json_values, values_for

MANY = settings(
    max_examples=40,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large],
)


def tool_of(schema: Any) -> Tool:
    return Tool.from_schema("t", "", schema, lambda **given: repr(sorted(given)))


def lowered(schema: Any, form: Form) -> Lowered:
    return tool_of(schema).lower(form.provider, strict=form.strict)


@pytest.mark.parametrize("form", FORMS, ids=str)
@MANY
@given(pair=schemas_with_values())
def test_what_is_declared_gets_there_and_back(form: Form, pair: Any) -> None:
    """Law 2: what the declared schema accepts is accepted once encoded, and comes back as it was."""
    schema, value = pair
    low = lowered(schema, form)
    sent = low.encode(value)
    back = low.decode(sent)

    assert is_schema(low.schema)
    assert not low.strict or form.faults(low.schema) == []
    assert form.strict or form.faults(low.schema) == []
    assert compile_schema(readable(low.schema))(sent) == ()
    if form.enforces_all:  # null for what is left out and null by default
        back, value = without_nulls(back), without_nulls(value)
    assert canonical(back) == canonical(value)


@pytest.mark.parametrize("form", COMPILED, ids=str)
@MANY
@given(pair=schemas_with_values(), data=st.data())
def test_what_the_provider_lets_through_is_right_or_told(form: Form, pair: Any, data: st.DataObject) -> None:
    """Law 3: what the lowered schema accepts is run, or refused with a sentence, and then a loss was reported."""
    made = tool_of(pair[0])
    low = made.lower(form.provider, strict=form.strict)
    schema = readable(low.schema)
    problems = compile_schema(schema)
    sent = data.draw(values_for(schema, schema.get("$defs", {})).filter(lambda value: not problems(value)))
    back = low.decode(sent)
    result = made.run(back)

    assert result.is_error == bool(result.problems)
    assert all(problem.message for problem in result.problems)
    if form.is_exact and low.strict == form.strict and not low.is_lossy:
        assert not result.is_error or names_collide(sent, back)


@given(value=json_values(), schema=schemas_with_values(2))
@MANY
def test_nothing_breaks_a_lens(value: Any, schema: Any) -> None:
    """Both translators take anything, make JSON of it, and leave it as it is."""
    for form in COMPILED:
        low = lowered(schema[0], form)

        assert answers(low.encode, value)
        assert answers(low.decode, value)
