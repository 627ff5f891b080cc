"""The web: pages fetched from the public internet and read, and the tools of providers that do so themselves."""

from ._tools import WebFetch, WebTools, provider_web_tools

__all__ = ["WebFetch", "WebTools", "provider_web_tools"]
