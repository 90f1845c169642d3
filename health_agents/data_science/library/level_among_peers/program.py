# pyright: basic, reportOperatorIssue=false, reportArgumentType=false
import pandas as pd

WINDOW, NEEDED, OLD, LEAST_OTHERS = 30, 23, 14, 11
METRIC, LABEL, UNIT, DECIMALS, GATE = "resting_heart_rate", "Resting heart rate", "bpm", 1, "valid_day"
PEOPLE = {"female": "women", "male": "men", "all": "people"}


def number(name, label, value, unit, decimals=0, window=None, direction=None, comparator=None):
    return {"name": name, "label": label, "value": value, "unit": unit, "decimals": decimals, "window": window,
            "direction": direction, "comparator": comparator}


def insufficient(reason, statement, numbers=()):
    return {"outcome": "insufficient", "reason": reason, "numbers": list(numbers), "statement": statement}


def find_peers(population, sex, age_group):
    rows = population[(population["metric"] == METRIC) & (population["definition"] == "person")]
    reference = rows["edition"].str.startswith("reference")
    sources = [(rows[~reference & (rows["window"] == f"last_{WINDOW}_days")], 1, "of this study"),
               (rows[reference & (rows["window"] == "whole")], 0, "of the reference population")]
    for source, self_counted, words in sources:
        for one_sex, group in ((sex, age_group), (sex, "all"), ("all", "all")):
            stratum = source[(source["sex"] == one_sex) & (source["age_group"] == group)].dropna(subset=["value"])
            others = int(stratum["n"].max()) - self_counted if len(stratum) else 0
            if others >= LEAST_OTHERS and (stratum["percentile"] == "50").any():
                at = stratum["percentile"].astype(int)
                return stratum.set_index(at)["value"].sort_index(), others, one_sex, group, words
    return None


def analysis(summary_df, activities_df, population_df, profile_df, labs_df, surveys_df):
    profile = profile_df.iloc[0]
    if summary_df.empty or pd.isna(profile["data_through"]):
        return insufficient("no_wearable_data", "There are no wearable data yet.")
    if profile["days_behind"] > OLD:
        return insufficient("data_old", "The newest data are too old for an answer.")
    end = pd.Timestamp(profile["data_through"])
    window = summary_df[(summary_df.index > end - pd.Timedelta(days=WINDOW)) & (summary_df.index <= end)]
    values = (window[window[GATE]] if GATE else window).loc[~window["is_partial"], METRIC].dropna()
    kind = "days" if GATE else "nights"
    if len(values) < NEEDED:
        return insufficient(
            f"too_few_{kind}", f"Not enough {kind} yet: {{days}} of {{needed}}.",
            [number("days", f"{kind.capitalize()} with a value", len(values), None, 0, f"last_{WINDOW}_days"),
             number("needed", f"{kind.capitalize()} needed", NEEDED, kind)])
    found = find_peers(population_df, profile["sex"], profile["age_group"])
    if found is None:
        return insufficient("too_few_peers", "There are too few people to compare with.")
    percentiles, others, sex, group, words = found
    own, middle = values.median(), percentiles[50]
    apart = round(own, DECIMALS) - round(middle, DECIMALS)
    direction = "below" if apart < 0 else "above" if apart > 0 else "within"
    place_of = {"below": "below that of", "above": "above that of", "within": "the same as that of"}[direction]
    numbers = [
        number("days", f"{kind.capitalize()} with a value", len(values), kind, 0, f"last_{WINDOW}_days"),
        number("own_median", f"{LABEL}, median", own, UNIT, DECIMALS, f"last_{WINDOW}_days", direction),
        number("peer_median", "Median of the peers", middle, UNIT, DECIMALS),
        number("peers", "Peers, rounded down to a multiple of five", others // 5 * 5, "people", comparator=">="),
    ]
    low, _, high = ("", "", "") if group == "all" else group.rstrip("+").partition("-")
    aged = "" if not low else ", aged {age_from:number} to {age_to}" if high else ", aged {age_from} or older"
    numbers += [number(f"age_{side}", f"Age group, {side}", int(age), "years")
                for side, age in (("from", low), ("to", high)) if age]
    lower, upper = percentiles[percentiles <= own].tail(1), percentiles[percentiles > own].head(1)
    numbers += [number(f"{side}_percentile", f"Percentile of the peers, {side} neighbour", int(at), "percentile")
                for side, edge in (("lower", lower), ("upper", upper)) for at in edge.index]
    place = ("reaches the {lower_percentile}" if upper.empty else "stays short of the {upper_percentile}" if lower.empty
             else "lies between the {lower_percentile} and the {upper_percentile}")
    return {"outcome": "answered", "reason": None, "numbers": numbers, "statement": (
        f"Over the last {WINDOW} days, {LABEL[0].lower()}{LABEL[1:]} was {{own_median}} on a typical {kind[:-1]}, "
        f"{place_of} peers, {{peer_median}}. It {place} of {{peers}} {words} ({PEOPLE[sex]}{aged}).")}
