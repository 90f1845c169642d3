"""From blood to printed results: in the units, decimals and words of a layout."""

from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal

import numpy as np

from synthetic.labs.catalogue import amount, lines_of
from synthetic.labs.printing import Interval, Line, Result, Style

CRITICAL_POTASSIUM = 6.7
NORMAL_SO_NOT_REPORTED = "Not Reported: BUN and Creatinine are within reference range."
RATIO = "urea_nitrogen_creatinine_ratio"
HARDLY_BY_CHANCE = 0.03


def results_of(
    catalogue: str,
    style: Style,
    values: Mapping[str, float],
    female: bool,
    wide: bool,
    rng: np.random.Generator,
) -> tuple[Result, ...]:
    """The results of one draw in the order of printing; ``wide`` adds panels, words and missing values."""
    results = [
        result_of(line, style, values, female, rng) for line in lines_of(catalogue) if wide or not line.wide
    ]
    return tuple(_with_gaps(results, style, rng)) if wide else tuple(results)


def result_of(
    line: Line, style: Style, values: Mapping[str, float], female: bool, rng: np.random.Generator
) -> Result:
    """One line with its value: a number, a bound beyond what the method measures, or a word."""
    interval = line.of_men if line.of_men is not None and not female else line.interval
    if line.key is None:
        word = line.choices[int(rng.integers(len(line.choices)))]
        return Result(line, interval, word, text=word, doubt="analyte_unknown")
    value = amount(line, values[line.key])
    if line.least is not None and value < line.least:
        return _bound(line, interval, style, "<", line.least)
    if line.most is not None and value > line.most:
        return _bound(line, interval, style, ">", line.most)
    return judged(Result(line, interval, style.number(value), value=value), style)


def judged(result: Result, style: Style) -> Result:
    """With the flag the layout prints for its value."""
    if result.value is None or result.interval is None or result.interval.words is not None:
        return result
    side = result.interval.judge(result.value)
    critical = result.line.key == "potassium" and result.value >= Decimal(str(CRITICAL_POTASSIUM))
    word, meaning = (None, None) if side == "N" else style.flags["critical" if critical else side]
    return replace(result, flag=word, flag_meaning=meaning, computed=side)


def _bound(line: Line, interval: Interval | None, style: Style, sign: str, bound: Decimal) -> Result:
    return Result(
        line,
        interval,
        style.bound.format(sign=sign, bound=style.number(bound)),
        comparator=sign,
        bound=bound,
        computed=None if interval is None or interval.words else interval.judge_bound(sign, bound),
    )


def _with_gaps(results: list[Result], style: Style, rng: np.random.Generator) -> list[Result]:
    """Some values are missing, each with the layout's word for its reason."""
    reasons = sorted(style.gaps)
    done: list[Result] = []
    for result in results:
        draw, pick = float(rng.random()), int(rng.integers(max(len(reasons), 1)))
        if result.line.key == RATIO and result.computed == "N":
            done.append(_gap(result, "SEE NOTE:", "not_reported", NORMAL_SO_NOT_REPORTED))
        elif reasons and result.line.key and not result.line.beside and draw < HARDLY_BY_CHANCE:
            done.append(_gap(result, style.gaps[reasons[pick]], reasons[pick], None))
        else:
            done.append(result)
    return done


def _gap(result: Result, word: str, reason: str, comment: str | None) -> Result:
    return Result(result.line, result.interval, word, missing=reason, comment=comment)
