"""The local server with Gemini's batch endpoints: files, jobs that need some looks, results as JSONL."""

import json
from collections.abc import Callable, Mapping
from typing import Any

from gemini_server import GeminiServer, Reply, structured

# The answer to one request of a job: what stands in its line of the results.
Worker = Callable[[str, Mapping[str, Any]], dict[str, Any] | None]


def answering(body: Mapping[str, Any]) -> Worker:
    """The same answer to everybody."""
    reply = structured(body).body
    return lambda key, request: {"response": reply}


class GeminiBatches(GeminiServer):
    """looks: how often a job says that it runs before it ends. jobs: name -> lines of its input.

    refusal: instead of a job. silence: what is told of a job that was made.
    """

    def __init__(self, worker: Worker, looks: int = 1) -> None:
        super().__init__(Reply({}))
        self.worker = worker
        self.looks = looks
        self.state = "SUCCEEDED"
        self.refusal: Reply | None = None
        self.files: dict[str, bytes] = {}
        self.jobs: dict[str, list[dict[str, Any]]] = {}
        self.names: dict[str, str] = {}
        self.silence: Reply | None = None
        self.deleted: list[str] = []
        self._looked: dict[str, int] = {}

    def _respond(self, method: str, path: str, headers: dict[str, str], body: bytes) -> Reply:
        with self._lock:
            self.paths.append(f"{method} {path.partition('?')[0]}")
            name = path.partition("?")[0].partition(":")[0].removeprefix("/v1/").removeprefix("/v1beta/")
            if path.startswith("/upload/session/"):
                return self._uploaded(path.rpartition("/")[2], body)
            if path.startswith("/upload/"):
                url = f"{self.url}/upload/session/in{len(self.files)}"
                return Reply({}, headers={"X-Goog-Upload-URL": url, "X-Goog-Upload-Status": "active"})
            if ":batchGenerateContent" in path:
                return self.refusal or self._job(json.loads(body)["batch"])
            if name == "batches":
                listed = [self._told(job, "RUNNING").body for job in self.jobs]
                return Reply({"operations": listed})
            if method == "DELETE":
                self.deleted.append(name)
                return Reply({})
            return Reply(self.files[name].decode()) if ":download" in path else self._status(name)

    def _uploaded(self, name: str, body: bytes) -> Reply:
        self.files[f"files/{name}"] = body
        file = {"name": f"files/{name}", "mimeType": "application/jsonl", "sizeBytes": str(len(body))}
        return Reply({"file": file}, headers={"X-Goog-Upload-Status": "final"})

    def _job(self, asked: dict[str, Any]) -> Reply:
        name = f"batches/b{len(self.jobs)}"
        lines = self.files[asked["inputConfig"]["fileName"]].splitlines()
        self.jobs[name] = [json.loads(line) for line in lines]
        self.names[name] = asked["displayName"]
        return self.silence or self._told(name, "PENDING")

    def _status(self, name: str) -> Reply:
        self._looked[name] = self._looked.get(name, 0) + 1
        if self._looked[name] <= self.looks:
            return self._told(name, "RUNNING")
        lines: list[dict[str, Any]] = []
        for asked in self.jobs[name]:
            came = self.worker(asked["key"], asked["request"])
            if came is not None:
                lines.append({"key": asked["key"], **came})
        out = f"files/out-{name.rpartition('/')[2]}"
        self.files[out] = "\n".join(json.dumps(line) for line in lines).encode()
        return self._told(name, self.state, out)

    def _told(self, name: str, state: str, out: str | None = None) -> Reply:
        kind = "type.googleapis.com/google.ai.generativelanguage.v1main.GenerateContentBatch"
        told: dict[str, Any] = {
            "name": name,
            "metadata": {
                "@type": kind,
                "state": f"BATCH_STATE_{state}",
                "name": name,
                "displayName": self.names[name],
            },
        }
        if state == "SUCCEEDED":
            told |= {"done": True, "response": {"@type": f"{kind}Output", "responsesFile": out}}
            told["metadata"]["output"] = {"responsesFile": out}
        elif state == "FAILED":
            told |= {"done": True, "error": {"code": 13, "message": "made up"}}
        return Reply(told)
