"""Pages of a release: drawn here, self-contained, readable without JavaScript, on a phone and on paper."""

from outputs.reports.write import write_reports

__all__ = ["write_reports"]
