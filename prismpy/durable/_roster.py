"""The agents that a process knows by name."""

from collections.abc import Iterable

from prismpy.agent import Agent, Response
from prismpy.errors import DefinitionError, DurableError

from ._standing import DurableRun


class Roster:
    """
    Agents under distinct names, as runs are kept by them.

    Args:
        agents: Those that are known from the beginning.

    Raises:
        DefinitionError: if two have the same name.
    """

    def __init__(self, agents: Iterable[Agent]) -> None:
        self.agents: dict[str, Agent] = {}
        """By name."""
        for agent in agents:
            self._add(agent)

    def known(self, agent: Agent | str, *, is_closed: bool) -> Agent:
        """
        Return an agent, or the one of a name.

        Args:
            agent: One that is not known yet is added.

            is_closed: Whether it is too late for that.

        Raises:
            DefinitionError: if there is none of that name, another has it, or it is too late.
        """
        if isinstance(agent, str):
            if agent not in self.agents:
                msg = f"there is no agent {agent!r}; known are {', '.join(map(repr, self.agents)) or 'none'}"
                raise DefinitionError(msg)
            return self.agents[agent]
        if agent.name not in self.agents and is_closed:
            msg = f"agent {agent.name!r} came after the work had begun; hand all to DurableRuns(..., agents=[...])"
            raise DefinitionError(msg)
        self._add(agent)
        return agent

    def response(self, run: DurableRun) -> Response:
        """
        Return what a run came to, as its agent would.

        Raises:
            DurableError: if it failed or was cancelled.
        """
        if run.status == "failed":
            msg = f"run {run.id!r} failed: {run.error}; resume it to try again"
            raise DurableError(msg, run=run.id)
        if run.status == "cancelled":
            msg = f"run {run.id!r} was cancelled; resume it to go on"
            raise DurableError(msg, run=run.id)
        known = run.status == "done" and run.agent in self.agents
        return Response(run.state, self.agents[run.agent].output_of(run.state) if known else None)

    def _add(self, agent: Agent) -> None:
        if self.agents.setdefault(agent.name, agent) is not agent:
            msg = f"two agents are called {agent.name!r}; runs are kept by the names of their agents, so rename one"
            raise DefinitionError(msg)
