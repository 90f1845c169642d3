"""Questions without a reviewed program: plan, program and statement by a model (docs/agent.md)."""
