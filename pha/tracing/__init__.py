"""From a fact of a release to its cells, and on to the files a participant sent: ``pha trace``."""

from pha.tracing.cells import Cells
from pha.tracing.facts import find_fact, whole_dossier
from pha.tracing.files import Files, out_of
from pha.tracing.walk import trace_fact

__all__ = ["Cells", "Files", "find_fact", "out_of", "trace_fact", "whole_dossier"]
