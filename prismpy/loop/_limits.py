"""How much a run may do."""

from typing import Literal, TypeAlias

import attrs

from prismpy.errors import DefinitionError
from prismpy.messages import Stored

Limit: TypeAlias = Literal["steps", "tokens", "calls", "time", "condition"]
"""What ended a run that was not done; `condition`: the app's own."""


@attrs.frozen(kw_only=True)
class Limits(Stored):
    """
    What ends a run even where the model would go on.

    Raises:
        DefinitionError: for a limit that allows nothing.
    """

    max_steps: int = 30
    """How often the model may be asked. In the last step it is asked for words and gets no tools."""

    max_tokens: int | None = None
    """Tokens of all steps together, read and written; looked at after each step."""

    max_calls: int | None = None
    """Calls of tools; those beyond are not run."""

    max_seconds: float | None = None
    """Time from the first question on; looked at after each step."""

    max_output_retries: int = 1
    """How often the model is asked again for an answer that does not fit the demanded form."""

    def __attrs_post_init__(self) -> None:
        for name in ("max_steps", "max_tokens", "max_calls", "max_seconds"):
            value = getattr(self, name)
            if value is not None and value <= 0:
                msg = f"{name} is {value!r}; pass a number more than 0, or leave it out"
                raise DefinitionError(msg)
        if self.max_output_retries < 0:
            msg = f"max_output_retries is {self.max_output_retries!r}; pass 0 or more"
            raise DefinitionError(msg)
