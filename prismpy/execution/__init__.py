"""
Running the calls of a model: judge the arguments, call the handler, conclude.

The sync and the async driver share all but the call itself.
"""

from ._prepare import Runnable
from ._run import Approve, Terms, arun_all, run_all

__all__ = ["Approve", "Runnable", "Terms", "arun_all", "run_all"]
