"""What Fitbit and Google say in the account's language; file and folder names stay English."""

# The vendor's German breaks its long words with a soft hyphen (U+00AD).
NAMES: dict[str, dict[str, str]] = {
    "en": {},
    "de": {
        "Walk": "Gehen",
        "Run": "Laufen",
        "Bike": "Rad\u00adfahren",
        "Weights": "Kraft\u00adtraining",
        "Out of Range": "Außerhalb der Zone",
        "Fat Burn": "Fett\u00adverbrennung",
        "Cardio": "Cardio",
        "Peak": "Höchst\u00adleistung",
    },
}
INDEX_PAGES: dict[str, tuple[str, str]] = {
    "en": ("archive_browser.html", "Archive"),
    "de": ("Archiv_Übersicht.html", "Archivübersicht"),
}


def said_in(language: str, name: str) -> str:
    """The word of a language (``en_US``, ``de_DE``) for an exercise or a zone, or the name itself."""
    return NAMES.get(language[:2], {}).get(name, name)


def index_page(language: str) -> tuple[str, str]:
    """File name and title of the archive's index."""
    return INDEX_PAGES.get(language[:2], INDEX_PAGES["en"])
