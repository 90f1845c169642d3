"""Archives as they were sent: zips, tars and loose files, read member by member and never unpacked to disk.

``form`` says what a file is by its first bytes; ``contents`` lists its members, those of archives within it
among them; ``zip_index`` and ``zip_walk`` find what lies in a zip, ``zip_members`` and ``tar_members`` read.
Nothing in an archive's index is trusted: what leads out of it, is locked, lies about itself or goes beyond
the limits is refused, with a code.
"""

from ingest.archive.contents import members
from ingest.archive.form import ARCHIVE_NAME, form_of
from ingest.archive.member import NESTED_MARK, Content, Member, is_unsafe

__all__ = ["ARCHIVE_NAME", "NESTED_MARK", "Content", "Member", "form_of", "is_unsafe", "members"]
