"""Reports in the wrong folder: of another person, of two people, of nobody named."""

from dataclasses import replace

from synthetic.labs.files import lab_file, suffixed
from synthetic.labs.report import Holder, Report, holder_of
from synthetic.labs.truth import LabFile
from synthetic.people.persona import Person

ROWS_OF_THE_FIRST_PAGE = 12


def other_person(report: Report, stranger: Person) -> LabFile:
    """A whole report of another person."""
    file = _held(report, "other", holder_of(stranger))
    return replace(file, verdict="set_aside", reason="identity_mismatch", identity="identity_mismatch")


def other_person_page(report: Report, stranger: Person) -> LabFile:
    """From its second page on the report is of another person."""
    turned = replace(report, rows_a_page=ROWS_OF_THE_FIRST_PAGE)
    file = _held(turned, "mixed", holder_of(report.person), holder_of(stranger))
    return replace(file, verdict="set_aside", reason="multiple_patients", identity="identity_mismatch")


def nobody(report: Report, _: Person) -> LabFile:
    """No name, birth date, sex or age on any page: accepted, its owner unchecked."""
    return replace(_held(report, "nobody", None), identity="unchecked")


def _held(report: Report, suffix: str, *holders: Holder | None) -> LabFile:
    return lab_file(replace(report, holders=holders, file_name=suffixed(report, suffix)))
