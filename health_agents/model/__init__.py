"""The one door to a language model: every request passes it, and nothing else may import a model's library.

``check_model`` says early whether a study may use a model; ``ModelDoor.ask`` makes a request with a typed
answer; ``door_of`` gives the one door of a process. Behind it stand pydantic-ai and the providers' clients
(``conversation.py``, ``clients.py``), loaded at the first request.
"""

from health_agents.model.asking_all import asking_all
from health_agents.model.calls import MOST_REQUESTS_EACH, calls_of_all_runs, calls_of_run, calls_table
from health_agents.model.door import Answer, ModelDoor
from health_agents.model.doors import door_of
from health_agents.model.policy import RULES, check_model
from health_agents.model.retries import Retries
from health_agents.model.sent import sent_of

__all__ = [
    "MOST_REQUESTS_EACH",
    "RULES",
    "Answer",
    "ModelDoor",
    "Retries",
    "asking_all",
    "calls_of_all_runs",
    "calls_of_run",
    "calls_table",
    "check_model",
    "door_of",
    "sent_of",
]
