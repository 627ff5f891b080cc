"""Where a model is asked and with which key: what was given, else what the environment says."""

import os
import re
from collections.abc import Mapping
from typing import Any, Final

from prismpy.errors import DefinitionError

from ._servers import Server, row_of

_KEYLESS: Final = "none"
"""What servers that want no key are sent; the SDK insists on one."""


def placed(
    name: str, client: Any, api_key: str | None, base_url: str | None, options: Mapping[str, Any]
) -> tuple[Server, dict[str, Any]]:
    """
    Find a server, and what the client of its SDK is made with: nothing where the app has a client of its own.

    Raises:
        UnknownProviderError: if there is no server of that name.

        DefinitionError: as `address` does.
    """
    if client is not None:
        return row_of(name, client.base_url), {}
    row = row_of(name, base_url)
    return row, {**address(row, api_key, base_url), **options}


def address(server: Server, api_key: str | None, base_url: str | None) -> dict[str, Any]:
    """
    Return the options of an SDK's client: `{"api_key": ..., "base_url": ...}`.

    Args:
        server: Whose row says where to look.

        api_key: Wins over the environment.

        base_url: Wins over the row and the environment.

    Raises:
        DefinitionError: if there is no key, or no host, and there must be one.
    """
    url = base_url or os.environ.get(server.url_variable) or _filled(server)
    return {"api_key": api_key or _key(server), **({"base_url": url} if url else {})}


def _key(server: Server) -> str:
    found = next((key for name in server.keys if (key := os.environ.get(name))), None)
    if found is None and server.needs_key:
        msg = f"{server.name}: there is no API key; set {' or '.join(server.keys)}, or give api_key"
        raise DefinitionError(msg)
    return found or _KEYLESS


def _filled(server: Server) -> str | None:
    return server.base_url and re.sub(r"\{(\w+)\}", lambda match: _variable(match[1], server), server.base_url)


def _variable(name: str, server: Server) -> str:
    value = os.environ.get(name, "").rstrip("/")
    if not value:
        msg = f"{server.name}: nobody says where it is; set {name}, or give base_url"
        raise DefinitionError(msg)
    return value
