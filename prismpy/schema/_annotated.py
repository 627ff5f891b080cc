"""Nodes under another name, or with other words for the model."""

from ._changed import changed
from ._json import JSON, MISSING, Missing
from ._node import plain_or_missing
from ._nodes import RawSchema, Schema


def annotated(
    node: Schema, name: str = "", description: str | None = None, default: JSON | Missing = MISSING
) -> Schema:
    """
    Return a node under a name, and with a description and a default where they are given.

    Args:
        node: Any node. What it says itself gives way.

        name: Name of the property; "" for a nameless node.

        description: Text for the model; None keeps the node's own.

        default: JSON; `MISSING` keeps the node's own.
    """
    if not description and default is MISSING and name == node.name:
        return node
    if isinstance(node, RawSchema):
        said: dict[str, JSON] = {"description": description} if description else {}
        said |= {} if default is MISSING else {"default": default}
        keywords = node.schema if isinstance(node.schema, dict) else {} if node.schema else {"not": {}}
        return RawSchema(name, {**keywords, **said} if said else node.schema)
    described = description or node.description
    if default is MISSING:
        return changed(node, name=name, description=described)
    return changed(node, name=name, description=described, default=plain_or_missing(default))
