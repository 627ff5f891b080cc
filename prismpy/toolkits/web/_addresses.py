"""
Which addresses may be talked to: those of the public internet, and what an app allows.

A name is resolved once, every address of it is looked at, and the connection
goes to one that was looked at: a name that changes its mind in between gains
nothing.
"""

import ipaddress
import socket
from collections.abc import Callable, Iterable, Sequence
from typing import Final, TypeAlias

from prismpy.errors import StoreError

Address: TypeAlias = ipaddress.IPv4Address | ipaddress.IPv6Address
Network: TypeAlias = ipaddress.IPv4Network | ipaddress.IPv6Network

Resolve: TypeAlias = Callable[[str, int], Sequence[str]]
"""From the name of a host and a port to its addresses, as `203.0.113.7`; raises `OSError` where there are none."""

_NAT64: Final = ipaddress.ip_network("64:ff9b::/96")
"""Addresses with an IPv4 address in their last 32 bits. Source: RFC 6052, 2.1 (read 2026-11)."""


def resolve(host: str, port: int) -> list[str]:
    """Ask the system for the addresses of a host."""
    return [str(found[4][0]) for found in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]


def checked(host: str, port: int, resolve: Resolve, allowed: Iterable[Network]) -> list[str]:
    """
    Return the addresses of a host, all of which may be talked to.

    Args:
        host: A name, or an address in whatever spelling.

        port: 1 to 65535.

        resolve: Gives the addresses.

        allowed: Networks that are no part of the public internet and may be talked to all the same.

    Raises:
        StoreError: if it has none, or one that may not.
    """
    try:
        addresses = resolve(host, port)
    except (OSError, UnicodeError) as error:
        msg = f"there is no host {host[:100]!r}"
        raise StoreError(msg) from error
    for address in addresses:
        if not _may(ipaddress.ip_address(address.partition("%")[0]), tuple(allowed)):
            msg = f"{host[:100]!r} is not on the public internet, so it was not asked"
            raise StoreError(msg)
    return list(dict.fromkeys(addresses))


def _may(address: Address, allowed: Sequence[Network]) -> bool:
    inner = _inside(address)
    if any(one.version == network.version and one in network for one in (address, *inner) for network in allowed):
        return True
    return all(one.is_global and not one.is_multicast and not one.is_reserved for one in (address, *inner))


def _inside(address: Address) -> list[Address]:
    """Return the IPv4 addresses that an IPv6 address stands for: a way round a look at the address alone."""
    if not isinstance(address, ipaddress.IPv6Address):
        return []
    found: list[Address | None] = [address.ipv4_mapped, address.sixtofour, *(address.teredo or ())]
    if address in _NAT64:
        found.append(ipaddress.IPv4Address(int(address) & 0xFFFF_FFFF))
    return [one for one in found if one is not None]
