"""Units of the Web API: they follow the language of the call, and no answer names them."""

from dataclasses import dataclass

from synthetic.life.recording import METRES_A_MILE

KG_A_POUND = 0.45359237
KG_A_STONE = 14 * KG_A_POUND
FEET_A_FLOOR, METRES_A_FLOOR = 10.0, 3.048


@dataclass(frozen=True, slots=True)
class Units:
    """metres: of the unit of distance. floor: height of a floor. centimetres: of the unit of body height.
    kilograms and decimals: of the unit of weight and how it is rounded."""

    metres: float
    distance: str
    floor: float
    centimetres: float
    kilograms: float
    decimals: int

    def weight(self, kilograms: float) -> float:
        """Kilograms in the unit of weight, rounded as the service does."""
        return round(kilograms / self.kilograms, self.decimals)


US = Units(METRES_A_MILE, "Mile", FEET_A_FLOOR, 2.54, KG_A_POUND, 1)
UK = Units(1000.0, "Kilometer", METRES_A_FLOOR, 1.0, KG_A_STONE, 2)
METRIC = Units(1000.0, "Kilometer", METRES_A_FLOOR, 1.0, 1.0, 1)


def units_of(language: str) -> Units:
    """Miles and pounds for en_US, kilometres and stone for en_GB, else metric."""
    return {"en_US": US, "en_GB": UK}.get(language, METRIC)
