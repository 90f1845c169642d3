"""All traps by name, in the order in which they stand in a study."""

from collections.abc import Mapping

from synthetic.traps.clocks import CLOCK_TRAPS
from synthetic.traps.containers import CONTAINER_TRAPS
from synthetic.traps.contents import CONTENT_TRAPS
from synthetic.traps.forms import FORM_TRAPS
from synthetic.traps.people import PEOPLE_TRAPS
from synthetic.traps.recorders import RECORDER_TRAPS
from synthetic.traps.repeats import REPEAT_TRAPS
from synthetic.traps.reports import REPORT_TRAPS
from synthetic.traps.trap import Trap
from synthetic.traps.values import VALUE_TRAPS

GROUPS: Mapping[str, tuple[Trap, ...]] = {
    "Clocks": CLOCK_TRAPS,
    "Recorders": RECORDER_TRAPS,
    "Values": VALUE_TRAPS,
    "Told twice": REPEAT_TRAPS,
    "Packages": CONTAINER_TRAPS,
    "Contents": CONTENT_TRAPS,
    "Whose it is": PEOPLE_TRAPS,
    "Forms": FORM_TRAPS,
    "Lab reports": REPORT_TRAPS,
}
TRAPS: Mapping[str, Trap] = {trap.name: trap for group in GROUPS.values() for trap in group}
