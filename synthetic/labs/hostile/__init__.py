"""Reports that try a reader, each with its right verdict: a table of switches.

Each makes one file of a report and, where one is needed, of a stranger; bytes depend on these alone.
"""

from collections.abc import Callable

from synthetic.labs.hostile import contents, holders, pages, wrappings
from synthetic.labs.report import Report
from synthetic.labs.truth import LabFile
from synthetic.people.persona import Person

HOSTILE: dict[str, Callable[[Report, Person], LabFile]] = {
    "hidden_text": pages.hidden_text,
    "watermark": pages.watermark,
    "doubled_glyphs": pages.doubled_glyphs,
    "instructions": pages.instructions,
    "program_inside": pages.program_inside,
    "many_pages": pages.many_pages,
    "encrypted": wrappings.encrypted,
    "owner_password": wrappings.owner_password,
    "truncated": wrappings.truncated,
    "empty": wrappings.empty,
    "web_page": wrappings.web_page,
    "copy": wrappings.copy,
    "other_person": holders.other_person,
    "other_person_page": holders.other_person_page,
    "nobody": holders.nobody,
    "no_collection_date": contents.no_collection_date,
    "prose": contents.prose,
    "absurd_values": contents.absurd_values,
}
