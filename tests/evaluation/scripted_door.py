"""A door with a scripted model behind it, for evaluations."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from pydantic_ai.messages import ModelMessage, ModelRequest, ModelResponse, ToolCallPart, UserPromptPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

from health_agents.model import ModelDoor
from schemas.settings import Settings

MODEL = "gemini-2.5-flash"
Script = Callable[[str, str, dict[str, Any]], dict[str, Any]]


def scripted_door(answers: Path, script: Script, *, name: str = MODEL, **budget: float) -> ModelDoor:
    """script: (instructions, prompt, JSON schema of the asked form) -> the answer's content."""

    def respond(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        tool = info.output_tools[0]
        given = script(info.instructions or "", prompt_of(messages), tool.parameters_json_schema)
        return ModelResponse(parts=[ToolCallPart(tool.name, given)])

    study = {"name": "S", "time_zone": "UTC"}
    model = {"name": name, "allow": ["rules", name]}
    settings = Settings.model_validate({"study": study, "model": model, "budget": budget})
    return ModelDoor(settings, answers, environ={}, name=name, scripted=FunctionModel(respond))


def prompt_of(messages: list[ModelMessage]) -> str:
    parts = [part for message in messages if isinstance(message, ModelRequest) for part in message.parts]
    return next(str(part.content) for part in parts if isinstance(part, UserPromptPart))
