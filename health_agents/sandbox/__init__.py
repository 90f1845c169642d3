"""The sandbox: the only place where an analysis program runs (docs/sandbox.md)."""

from health_agents.sandbox.outcome import Isolation, Limits, Outcome
from health_agents.sandbox.sandbox import Sandbox, open_sandbox, sandbox_state

__all__ = ["Isolation", "Limits", "Outcome", "Sandbox", "open_sandbox", "sandbox_state"]
