"""
Names as a provider takes them, and no two of them alike.

A name that fits stays. Any other is sanitised; where that gives a name which is
there already, or the same for two, a short digest of the declared name tells
them apart. The result hangs on the set of names only, never on their order.
"""

import hashlib
import re
from collections import Counter
from collections.abc import Iterable
from functools import cached_property

import attrs


@attrs.frozen(slots=False)
class Names:
    """What names a provider takes."""

    letters: str
    """What they may be made of, as inside the brackets of a regular expression."""

    most: int
    """Characters that they may have at most, at least 1 and rarely less than 64."""

    first: str = ""
    """What they may begin with, written alike; "" for any of `letters`."""

    @cached_property
    def pattern(self) -> str:
        """The rule as a regular expression."""
        if self.first:
            return f"[{self.first}][{self.letters}]{{0,{self.most - 1}}}"
        return f"[{self.letters}]{{1,{self.most}}}"

    def take(self, name: str) -> bool:
        """Tell whether a name fits."""
        return re.fullmatch(self.pattern, name) is not None

    def sanitised(self, name: str) -> str:
        """Return a name that fits: `_` for what does not belong there, cut where it is too long."""
        bare = re.sub(f"[^{self.letters}]", "_", name)
        if self.first and not re.match(f"[{self.first}]", bare):
            bare = f"_{bare}"
        return bare[: self.most] or "_"

    def fit(self, names: Iterable[str]) -> dict[str, str]:
        """
        Give every name one that fits, distinct names distinct ones.

        Returns:
            Declared name to fitting name, in the order given.
        """
        declared = dict.fromkeys(names)
        bare = {name: self.sanitised(name) for name in declared if not self.take(name)}
        count = Counter(bare.values())
        plain = {name: new for name, new in bare.items() if count[new] == 1 and new not in declared}
        clashing = {name: new for name, new in bare.items() if name not in plain}
        found = plain | self._told_apart(clashing, {*declared, *plain.values()})
        return {name: found.get(name, name) for name in declared}

    def _told_apart(self, clashing: dict[str, str], taken: set[str], digits: int = 6) -> dict[str, str]:
        """Append digests, all of one length, the shortest that tells them apart."""
        new = {name: f"{bare[: self.most - digits - 1]}_{_digest(name)[:digits]}" for name, bare in clashing.items()}
        if len({*new.values()} - taken) < len(new):
            return self._told_apart(clashing, taken, 2 * digits)
        return new


def _digest(name: str) -> str:
    return hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()
