"""One door a process for each study, model and run: its pace, and its refusal to ask on, are everybody's."""

import threading
from collections.abc import Mapping
from pathlib import Path

from health_agents.model.door import ModelDoor
from health_agents.model.policy import check_model, find_endpoint
from outputs.digests import digest
from schemas.settings import Settings

_doors: dict[str, ModelDoor] = {}
_lock = threading.Lock()


def door_of(
    name: str, settings: Settings, answers: Path, environ: Mapping[str, str], account: str | None = None
) -> ModelDoor:
    """The door to a model for a study; raises what ``check_model`` raises.

    answers: folder of kept answers. account: the run whose budget it spends, such as its as-of.
    """
    check_model(settings, name, environ)
    key = digest(name, settings, str(answers), find_endpoint(settings, name, environ).url, account)
    with _lock:
        if key not in _doors:
            _doors[key] = ModelDoor(settings, answers, environ=environ, name=name, account=account)
        return _doors[key]
