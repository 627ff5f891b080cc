"""Words for a time, as the local list understands them; Todoist itself understands more."""

import datetime
import re
from typing import Final

from prismpy.errors import StoreError

from ._values import Due

_WITH_TIME: Final = {"time", "part_of_day"}
"""What `dateparser` calls the precision of words that tell an hour."""


def understand(text: str, now: datetime.datetime) -> Due:
    """
    Read words such as `tomorrow at 10`, `next friday` or `2024-05-06`, in English.

    Args:
        text: The words.

        now: The time where the user is.

    Raises:
        StoreError: if they are not understood, or say that it repeats.
    """
    from dateparser.date import DateDataParser

    if re.search(r"\b(every|daily|weekly|monthly|yearly)\b", text, re.IGNORECASE):
        msg = f"{text[:80]!r}: this list knows no tasks that repeat; give a single day, or make a repeating event"
        raise StoreError(msg)
    # an hour alone is one to people, and nothing to the library
    hours = re.sub(r"\bat (\d{1,2})(?![\d:]|\s*[ap]\.?m)", r"at \1:00", text, flags=re.IGNORECASE)
    settings = {
        "PREFER_DATES_FROM": "future",
        # a moment that no words name: an hour that is the same as now's counts as none with the library
        "RELATIVE_BASE": now.replace(tzinfo=None, second=0, microsecond=1),
        "RETURN_TIME_AS_PERIOD": True,
        "PARSERS": ["relative-time", "custom-formats", "absolute-time"],
    }
    found = DateDataParser(languages=["en"], settings=settings).get_date_data(hours)
    if found.date_obj is None:
        msg = f"{text[:80]!r} is no time that is understood; give one such as 'tomorrow at 10:00' or '2024-05-06'"
        raise StoreError(msg)
    moment = found.date_obj.replace(tzinfo=None, microsecond=0)
    return Due(text, moment if found.period in _WITH_TIME else moment.date())
