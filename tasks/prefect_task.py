"""The Prefect task of this project: nothing cached, nothing personal in a fault."""

import functools
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

from prefect import task
from prefect.cache_policies import NO_CACHE

from schemas.errors import PhaError
from tasks.faults import as_coded

Parameters = ParamSpec("Parameters")
Returned = TypeVar("Returned")


def pha_task(stage: str, retries: int = 0) -> Callable[[Callable[Parameters, Returned]], Any]:
    """A Prefect task around a plain function.

    Prefect caches nothing: the store remembers what is done, also across machines and versions. Prefect keeps
    the text of an exception in its database; so every fault becomes a coded one before Prefect sees it.
    """

    def decorate(function: Callable[Parameters, Returned]) -> Any:
        @functools.wraps(function)
        def coded(*arguments: Parameters.args, **named: Parameters.kwargs) -> Returned:
            try:
                return function(*arguments, **named)
            except Exception as error:  # noqa: BLE001
                raise as_coded(error) from None

        made: Any = task(
            name=stage,
            tags=["pha", stage],
            retries=retries,
            retry_delay_seconds=5,
            retry_condition_fn=_worth_a_retry,
            cache_policy=NO_CACHE,
            persist_result=False,
            log_prints=False,
        )
        return made(coded)

    return decorate


def _worth_a_retry(_task: Any, _run: Any, state: Any) -> bool:
    error = state.result(raise_on_failure=False)
    return not isinstance(error, PhaError) or error.code.transient
