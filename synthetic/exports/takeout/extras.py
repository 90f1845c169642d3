"""What Takeout and the products add beside data: index, other products, READMEs, files without a row."""

from synthetic.exports.members import Member
from synthetic.exports.takeout.export import Export, Files
from synthetic.exports.takeout.languages import index_page

READMES = {
    "Heart Rate Variability/Daily Heart Rate Variability Summary README.txt": (
        "The daily summary files hold one row for each night of sleep: RMSSD in milliseconds, the heart rate "
        "outside REM sleep and the entropy of the beat intervals.\n"
    ),
    "Oxygen Saturation (SpO2)/Daily SpO2 README.txt": (
        "The daily files hold the oxygen saturation of the blood in percent for each night of sleep.\n"
    ),
    "Active Zone Minutes (AZM)/Active Zone Minutes README.txt": (
        "One row for each minute that earned active zone minutes, with its zone and the minutes earned.\n"
    ),
    "Stress Score/Stress Score Readme.txt": "A row a day: the stress management score and its parts.\n",
    "Daily Readiness/Daily Readiness README.txt": "A row a day: the readiness score and its parts.\n",
    "Temperature/Temperature README.txt": (
        "Differences from the personal baseline in degrees Celsius by the minute, and a row a night with its "
        "skin temperature.\n"
    ),
    "Snore and Noise Detect/Snore Details README.txt": "No data.\n",
}


def archive_index(export: Export) -> Files:
    """The page in which Takeout lists what it packed, in the account's language."""
    name, title = index_page(export.request.language)
    page = f'<html><head><meta charset="utf-8"></head><body><h1>{title}</h1></body></html>\n'
    yield Member(name, page.encode())


def other_product(_export: Export) -> Files:
    """Another product of the same account."""
    yield Member("Tasks.json", b'{"kind": "tasks#taskLists", "items": []}\n')


def readme(text: str, name: str, _export: Export) -> Files:
    """A page of words that Google ships beside the files."""
    yield Member(name, text.encode())
