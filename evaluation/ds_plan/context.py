"""The data that queries of ds-plan may use: what the agent's planner and the rater are told."""

from functools import cache

from health_agents.data_science.agent.context import Context, make_context
from health_agents.data_science.agent.person_sources import no_sources

# As the paper's task: daily summary, activities and the percentiles of the population; no laboratory.
PERCENTILE_METRICS = (
    *("steps", "resting_heart_rate", "heart_rate_variability", "sleep_minutes", "active_zone_minutes"),
    *("deep_sleep_minutes", "rem_sleep_minutes", "stress_management_score"),
)


@cache
def plan_context() -> Context:
    """All columns with types, units and descriptions; no statistics, as no participants stand behind it."""
    return make_context(no_sources(), PERCENTILE_METRICS)


@cache
def data_description() -> str:
    """A line per source: name, unit and description."""
    return "\n".join(
        f"{source.name} ({source.unit or source.type}): {source.description}"
        for source in plan_context().sources
    )
