"""
Running the calls of a model: judge the arguments, call the handler, conclude.

The sync and the async driver share all but the call itself.
"""

from ._arun import arun_all, arun_one
from ._budget import Budget
from ._hooks import Hooks, log_calls
from ._limit import Kept
from ._outside import waiting
from ._plan import Runnable
from ._run import run_all, run_one
from ._terms import NO_TERMS, Approve, OnProgress, RunOptions, Terms, known_options, terms_of
from ._text import words_of
from ._turn import groups

__all__ = [
    "NO_TERMS",
    "Approve",
    "Budget",
    "Hooks",
    "Kept",
    "OnProgress",
    "RunOptions",
    "Runnable",
    "Terms",
    "arun_all",
    "arun_one",
    "groups",
    "known_options",
    "log_calls",
    "run_all",
    "run_one",
    "terms_of",
    "waiting",
    "words_of",
]
