"""Made-up names: enough for 2,000 people before one comes back, and no first name of one list in another."""

FIRST_NAMES = {
    "female": (
        "Adira", "Brisa", "Calla", "Delphine", "Elowen", "Farah", "Giulia", "Hanneke", "Ines", "Junia",
        "Katya", "Liora", "Maelle", "Noemi", "Oriel", "Petra", "Quilla", "Rosalba", "Solveig", "Tamsin",
        "Ursula", "Verena", "Wilhelma", "Xenia", "Yasmin", "Zuleika", "Anouk", "Beatrix", "Cosima", "Dagny",
        "Estelle", "Freya", "Gwendolen", "Hedda", "Isolde", "Jolanda", "Kirsi", "Lucinda", "Mireille",
        "Nadja",
    ),
    "male": (
        "Alaric", "Bastian", "Caspian", "Dorian", "Emeka", "Florian", "Gideon", "Haruki", "Ivo", "Jorah",
        "Kaspar", "Leopold", "Matteo", "Niklas", "Osmund", "Philipp", "Quentin", "Rafael", "Soren",
        "Tiberius", "Ulrich", "Valentin", "Wendelin", "Xaver", "Yannick", "Zoltan", "Anselm", "Benedikt",
        "Cormac", "Dietrich", "Evander", "Ferdinand", "Gregor", "Hamish", "Ignatius", "Joachim", "Kenelm",
        "Lorcan", "Magnus", "Nestor",
    ),
}  # fmt: skip
LAST_NAMES = (
    "Ashdown", "Birkholm", "Carrow", "Dunmarsh", "Eastlake", "Fenwick", "Garrowby", "Hartsel", "Ironmoor",
    "Jessamy", "Kestrel", "Larkin", "Marlowe", "Northgate", "Oakhurst", "Pemberly", "Quillon", "Ravensby",
    "Stonefield", "Thornbury", "Umberly", "Vanterpool", "Winslet", "Aldermoor", "Brackenridge", "Coldwater",
    "Dovercourt", "Elderfield", "Farthing", "Glenholme", "Haverstock", "Inglewood", "Kirkbride", "Longacre",
    "Mossgrave", "Nettlecombe", "Orchardson", "Penhallow", "Rushbrook", "Silverdale", "Templecombe",
    "Underhill", "Vexley", "Whitcombe", "Yarrowdale", "Applegarth", "Blackthorn", "Crowhurst", "Drakemoor",
    "Evenwood", "Foxglove",
)  # fmt: skip
STEP = 37


def name_of(number: int, seed: int, female: bool) -> str:
    """A name that nobody with another number has, up to as many people as there are names."""
    first = FIRST_NAMES["female" if female else "male"]
    place = (number * STEP + seed) % (len(first) * len(LAST_NAMES))
    return f"{first[place % len(first)]} {LAST_NAMES[place // len(first)]}"
