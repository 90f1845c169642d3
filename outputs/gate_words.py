"""What the gate says of a fault: in words, with what was measured and what to do; never a value."""

FAULTS = {
    "declared_form": "rows out of their declared form",
    "reference": "rows that point at a row that is not there",
    "counts_close": "counts that do not close",
    "minute_files": "minute files with a fault",
    "enrolment": "people neither present nor explained",
    "rejected_share": "too large a share of rows rejected",
    "coverage": "fewer rows than at the last release",
    "magnitude": "typical size has jumped since the last release",
    "key_unique": "keys that come twice",
    "not_null": "empty cells that must not be",
    "allowed_words": "words that are not declared",
    "null_share": "values gone missing since the last release",
    "quartiles_moved": "percentiles have moved since the last release",
    "people_kept": "fewer people with a value than at the last release",
    "unit_jumps": "values have changed as between two units since the last release",
    "disclosure": "shareable tables that tell too much",
    "shared_once": "shareable rows that changed within their edition",
}

_REPORT_IT = "a fault of the program, please report the check and the table"
_LIMIT = "if the data are right, set the limit in [drift] of study.toml"
REMEDIES = {
    "declared_form": _REPORT_IT,
    "reference": _REPORT_IT,
    "counts_close": _REPORT_IT,
    "minute_files": _REPORT_IT,
    "enrolment": "find their ids in run_ledger of the held folder, and see what they sent with `pha inspect`",
    "rejected_share": "rejected_rows of the held folder gives the rule at work: a form may have changed",
    "coverage": "look whether files were moved away or can no longer be read",
    "magnitude": "look for a change of unit in the newest exports or reports",
    "key_unique": _REPORT_IT,
    "not_null": _REPORT_IT,
    "allowed_words": _REPORT_IT,
    "null_share": "compare the newest exports with older ones: a column may have another name or form",
    "quartiles_moved": f"look for a new device, algorithm or reader in the newest exports; {_LIMIT}",
    "people_kept": f"look whether files were moved away or can no longer be read; {_LIMIT}",
    "unit_jumps": f"compare a few people's values with their exports or reports; {_LIMIT}",
    "disclosure": f"do not pass the table on; {_REPORT_IT}",
    "shared_once": f"do not pass the table on; {_REPORT_IT}",
}

SUBJECTS = {
    "unaccounted": "enrolled people without data and without a reason",
    "not_enrolled": "people in participants who are not enrolled",
    "small_group": "groups of fewer than 11 people",
    "n_not_rounded": "numbers of people that are not rounded down to 5",
    "crossing_group": "age groups of both sexes",
    "small_rest": "groups that leave a rest of fewer than 11 people",
    "reaches_an_end": "percentiles that rest on the smallest or largest value",
    "value_not_rounded": "values that are not rounded",
}

_MEASURED = {
    "null_share": "{} of its rows have a value",
    "rejected_share": "{} of its rows were rejected",
    "coverage": "{} of the rows of the last release",
    "magnitude": "{} the typical size at the last release",
    "quartiles_moved": "{} the width of the middle half, beyond chance",
    "people_kept": "{} of those who had a value",
    "unit_jumps": "{} of the people",
}
_FACTORS = ("magnitude", "quartiles_moved")
_COUNTED = {
    "counts_close": ("case", "cases"),
    "minute_files": ("file", "files"),
    "enrolment": ("person", "people"),
}


def shown_number(check: str, number: float) -> str:
    """A measured number or its limit: shares in percent, ratios as a factor, counts as they are."""
    if check not in _MEASURED:
        return f"{number:,g}"
    return f"{number:.2g} times" if check in _FACTORS else f"{100 * number:.0f} %"


def shown_measured(check: str, number: float) -> str:
    """``35 % of its rows have a value``, ``40 rows``."""
    shown = shown_number(check, number)
    if check in _MEASURED:
        return _MEASURED[check].format(shown)
    one, many = _COUNTED.get(check, ("row", "rows"))
    return f"{shown} {one if number == 1 else many}"
