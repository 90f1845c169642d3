"""Requests to language models."""

from schemas.columns import flag, number, text, whole
from schemas.table import Table, TableInfo


class ModelCalls(Table):
    """Requests to language models."""

    info = TableInfo(
        name="model_calls",
        one_row_is="a request",
        times_excluded=True,
        version=2,
        kinds=("full",),
    )
    call_id = text("Id of the request.", key=True)
    participant_id = text("Of whose work; null for work of the whole cohort.")
    agent = text("Agent.", null=False)
    model = text("Model asked for.", null=False)
    returned_model = text("Model version that answered.")
    endpoint = text("Host of the endpoint.")
    left_machine = flag("The request left this machine.", null=False)
    input_tokens = whole("Tokens in.", "tokens", low=0)
    cached_input_tokens = whole(
        "Tokens in that the endpoint had in its own cache and charges less for.", "tokens", low=0
    )
    output_tokens = whole("Tokens out.", "tokens", low=0)
    cost_usd = number("Cost; null where the model is in no price list.", "USD", 6, low=0)
    latency_seconds = number("Time to the answer.", "s", 3, low=0)
    request_digest = text("Digest of the whole request.", null=False)
    cached = flag("The answer came from the store.", null=False)
    outcome = text("answered or a code.", null=False)
