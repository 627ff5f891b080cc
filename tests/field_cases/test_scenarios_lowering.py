"""The field cases of lowering that tell a story instead of giving data; see `test_scenarios`."""

import json
from typing import Any

import pytest

from prismpy import Tool
from tests.lowering.forms import COMPILED, Form

BRANCHES = {
    "Buy": {
        "type": "object",
        "properties": {"op": {"const": "buy"}, "qty": {"type": "integer"}},
        "required": ["op", "qty"],
    },
    "Sell": {
        "type": "object",
        "properties": {"op": {"const": "sell"}, "price": {"type": "number"}},
        "required": ["op", "price"],
    },
}
TRADE: dict[str, Any] = {
    "type": "object",
    "properties": {
        "steps": {
            "type": "array",
            "items": {
                "oneOf": [{"$ref": "#/$defs/Buy"}, {"$ref": "#/$defs/Sell"}],
                "discriminator": {
                    "propertyName": "op",
                    "mapping": {"buy": "#/$defs/Buy", "sell": "#/$defs/Sell"},
                },
            },
        }
    },
    "required": ["steps"],
    "$defs": BRANCHES,
}


@pytest.mark.parametrize("form", COMPILED, ids=str)
def test_fc_provider_08_nothing_refers_to_what_is_gone(form: Form) -> None:
    """Where definitions are put in place, no mapping of a discriminator points to where they were; the tag remains."""
    low = Tool.from_schema("trade", "", TRADE).lower(form.provider, strict=form.strict)
    told = json.dumps(low.schema)
    arguments = {"steps": [{"op": "sell", "price": 1.5}, {"op": "buy", "qty": 2}]}

    assert "$defs" not in told
    assert "discriminator" not in told
    assert '"sell"' in told
    assert low.decode(low.encode(arguments)) == arguments
