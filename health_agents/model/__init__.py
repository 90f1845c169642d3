"""The one door to a language model: every request passes it, and nothing else may import a model's library.

``check_model`` says early whether a study may use a model; ``ModelDoor.ask`` makes a request with a typed
answer. Behind the door stand pydantic-ai and google-genai (``conversation.py``), loaded at the first request.
"""

from health_agents.model.calls import calls_table
from health_agents.model.door import Answer, ModelDoor
from health_agents.model.policy import RULES, check_model
from health_agents.model.retries import Retries

__all__ = ["RULES", "Answer", "ModelDoor", "Retries", "calls_table", "check_model"]
