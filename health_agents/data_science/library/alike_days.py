# pyright: basic, reportArgumentType=false
# Stands before every program that tests an effect: neighbouring days are alike, and tests must know it.
import numpy as np
from scipy.special import stdtr

RHOS = np.arange(20) / 20
# Of a question, over all its measures. Five that are asked unless a study says otherwise test the course of days;
# together they may tell at most 5 % of people of whom nothing changes of an effect.
LEVEL = 0.008


def drawn_in(values, design):
    """Values beyond three robust standard deviations of their fit by ``design``, moved to that border."""
    fitted = values
    for _ in range(5):
        fit = design @ np.linalg.lstsq(design, fitted, rcond=None)[0]
        border = 3 * 1.4826 * np.median(abs(values - fit))
        fitted = fit + np.clip(values - fit, -border, border) if border > 1e-9 else values
    return fitted


def by_rho(values, day, design):
    """For each rho: how likely it is, the first column's effect and its error, by generalised least squares on the
    innovations, where days that are d apart correlate by rho ** d. Restricted likelihood."""
    before, freedom = np.maximum(np.arange(len(day)) - 1, 0), len(day) - design.shape[1]
    both, fits = np.column_stack([design, values]), []
    for rho in RHOS:
        kept = np.concatenate([[0.0], rho ** np.diff(day)])
        scale = np.sqrt(1 - kept**2)
        white = (both - kept[:, None] * both[before]) / scale[:, None]
        columns, goal = white[:, :-1], white[:, -1]
        inverse = np.linalg.inv(columns.T @ columns)
        fit = inverse @ (columns.T @ goal)
        squares = max(((goal - columns @ fit) ** 2).sum(), 1e-12)
        likely = (np.linalg.slogdet(inverse)[1] - freedom * np.log(squares)) / 2 - np.log(scale).sum()
        fits.append((likely, fit[0], np.sqrt(squares / freedom * inverse[0, 0])))
    likely, effect, error = np.array(fits).T
    share = np.exp(likely - likely.max())
    return share / share.sum(), effect, error, freedom


def effect_of(series, column, measures, outliers_count=False):
    """Effect of a column on a series by date, least squares that know how alike days are: (size, low, high, p, rho).

    p is two-sided, the interval holds all but the share LEVEL / measures; both are mixtures of t over rho, all values
    from 0 to 0.95 alike beforehand. Outlying days are drawn in, unless they count.
    """
    day = np.asarray((series.index - series.index[0]).days)
    design = np.column_stack([column, np.ones(len(day))]).astype(float)
    values = series.to_numpy(dtype=float) - series.median()
    share, effect, error, freedom = by_rho(values if outliers_count else drawn_in(values, design), day, design)

    def below(size):
        return float(share @ stdtr(freedom, (size - effect) / error))

    def quantile(chance):
        low, high = float((effect - 100 * error).min()), float((effect + 100 * error).max())
        for _ in range(50):
            middle = (low + high) / 2
            low, high = (middle, high) if below(middle) < chance else (low, middle)
        return (low + high) / 2

    p = 2 * min(below(0.0), 1 - below(0.0))
    tail = LEVEL / measures / 2
    return float(share @ effect), quantile(tail), quantile(1 - tail), p, float(share @ RHOS)
