"""Files that can't be opened or need not be: locked, damaged, empty, no PDF, sent twice."""

from dataclasses import replace

from reportlab.lib.pdfencrypt import StandardEncryption

from synthetic.labs.files import lab_file, suffixed
from synthetic.labs.pdf import lab_pdf
from synthetic.labs.report import Report
from synthetic.labs.truth import LabFile, Reason
from synthetic.people.persona import Person

PASSWORD = "made-up password"  # noqa: S105  It is no secret: the file must stay closed for want of asking.
STRENGTH_BITS = 128
LOGIN_PAGE = b"<!DOCTYPE html><html><title>Sign in</title><p>Your session has ended.</p></html>\n"
KEPT_SHARE = 0.35


def encrypted(report: Report, _: Person) -> LabFile:
    """Opens with a password only."""
    lock = StandardEncryption(PASSWORD, strength=STRENGTH_BITS)
    return _set_aside(report, "locked", lab_pdf(report, encrypt=lock), "encrypted")


def owner_password(report: Report, _: Person) -> LabFile:
    """Opens for everybody; a password guards printing and copying only: accepted."""
    lock = StandardEncryption("", ownerPassword=PASSWORD, canCopy=0, canPrint=0, strength=STRENGTH_BITS)
    file = lab_file(replace(report, file_name=suffixed(report, "owned")))
    return replace(file, content=lab_pdf(report, encrypt=lock))


def truncated(report: Report, _: Person) -> LabFile:
    """A download that broke off within the first page."""
    content = lab_pdf(report)
    return _set_aside(report, "cut", content[: int(len(content) * KEPT_SHARE)], "not_pdf")


def empty(report: Report, _: Person) -> LabFile:
    """0 bytes."""
    return _set_aside(report, "empty", b"", "empty_file")


def web_page(report: Report, _: Person) -> LabFile:
    """The portal's page to sign in, saved under the report's name."""
    return _set_aside(report, "page", LOGIN_PAGE, "not_pdf")


def copy(report: Report, _: Person) -> LabFile:
    """The bytes of the report itself once more, under a name that sorts behind it."""
    return _set_aside(report, "copy", lab_pdf(report), "duplicate")


def _set_aside(report: Report, suffix: str, content: bytes, reason: Reason) -> LabFile:
    file = lab_file(replace(report, file_name=suffixed(report, suffix)))
    return replace(file, content=content, verdict="set_aside", reason=reason, identity=None)
