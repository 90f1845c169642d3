"""Intervals and agreement against published examples and their definitions."""

from math import sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.statistics import (
    agreement,
    bennett_s,
    intraclass_correlation,
    mean_interval,
    ratio_interval,
    resampled_interval,
    wilson_interval,
)

# Shrout and Fleiss 1979, table 2: six targets, four judges; their table 4 gives ICC(3,1) = .71.
SHROUT_FLEISS = [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]


class TestWilson:
    # Newcombe 1998, Statistics in Medicine 17:857-872, table I, method 3.
    @pytest.mark.parametrize(
        ("passed", "tried", "low", "high"),
        [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
    )
    def test_published_intervals(self, passed: int, tried: int, low: float, high: float) -> None:
        assert wilson_interval(passed, tried) == pytest.approx((low, high), abs=5e-5)

    @given(st.integers(1, 500).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
    def test_it_holds_the_share_and_mirrors(self, counts: tuple[int, int]) -> None:
        passed, tried = counts
        low, high = wilson_interval(passed, tried)
        assert 0 <= low <= passed / tried + 1e-12
        assert passed / tried - 1e-12 <= high <= 1
        assert wilson_interval(tried - passed, tried) == pytest.approx((1 - high, 1 - low))

    @pytest.mark.parametrize(("passed", "tried"), [(0, 0), (3, 2), (-1, 4)])
    def test_no_share(self, passed: int, tried: int) -> None:
        with pytest.raises(ValueError, match="share"):
            wilson_interval(passed, tried)


class TestBootstrap:
    def test_nothing_varies(self) -> None:
        assert mean_interval([3.0] * 8) == (3.0, 3.0)
        assert ratio_interval([4, 8, 6], [8, 16, 12]) == (0.5, 0.5)

    def test_equal_input_gives_equal_ends(self) -> None:
        assert mean_interval([1, 5, 2, 9]) == mean_interval([1, 5, 2, 9])

    def test_about_what_theory_gives(self) -> None:
        values = [float(n % 2) for n in range(400)]
        low, high = mean_interval(values)
        half = 1.96 * sqrt(0.25 / 400)
        assert (low, high) == pytest.approx((0.5 - half, 0.5 + half), abs=0.006)

    def test_items_count_as_wholes(self) -> None:
        """Four items of ten equal tests say as little as four tests, not as much as forty."""
        low, high = ratio_interval([10, 0, 10, 0], [10, 10, 10, 10])
        assert (low, high) == (0.0, 1.0)
        narrow = wilson_interval(20, 40)
        assert high - low > narrow[1] - narrow[0]

    @pytest.mark.parametrize(("parts", "wholes"), [([], []), ([1], [1, 2]), ([1], [0])])
    def test_no_ratio(self, parts: list[float], wholes: list[float]) -> None:
        with pytest.raises(ValueError, match="whole"):
            ratio_interval(parts, wholes)


class TestResampled:
    def test_the_mean_of_single_rows_is_the_plain_bootstrap(self) -> None:
        values = [float(n) for n in range(30)]
        found = resampled_interval([[value] for value in values], lambda rows: sum(rows) / len(rows))
        assert found == pytest.approx(mean_interval(values), abs=0.4)

    def test_whole_clusters_are_drawn(self) -> None:
        sizes: set[int] = set()
        resampled_interval([[1, 1], [2, 2], [3, 3]], lambda rows: float(len(sizes.add(len(rows)) or rows)))
        assert sizes == {6}

    def test_mostly_undefined(self) -> None:
        assert resampled_interval([[1], [2]], lambda _: None) is None


class TestIntraclassCorrelation:
    def test_the_published_example(self) -> None:
        assert intraclass_correlation(SHROUT_FLEISS) == pytest.approx(0.7148, abs=5e-5)

    def test_a_constant_shift_between_raters_is_consistent(self) -> None:
        assert intraclass_correlation([[1, 3], [2, 4], [5, 7]]) == pytest.approx(1.0)

    def test_opposite_raters(self) -> None:
        assert intraclass_correlation([[1, 3], [2, 2], [3, 1]]) == pytest.approx(-1.0)

    def test_nothing_varies(self) -> None:
        assert intraclass_correlation([[2, 2], [2, 2]]) is None

    @given(st.lists(st.tuples(st.integers(0, 16), st.integers(0, 16)), min_size=3, max_size=20))
    def test_two_raters_by_their_covariance(self, pairs: list[tuple[int, int]]) -> None:
        """With two raters ICC(3,1) is 2 cov / (var + var)."""
        one, other = np.asarray(pairs, float).T
        under = one.var(ddof=1) + other.var(ddof=1)
        found = intraclass_correlation(pairs)
        if under == 0:
            assert found is None
        else:
            assert found == pytest.approx(2 * np.cov(one, other)[0, 1] / under, abs=1e-9)

    @pytest.mark.parametrize("table", [[[1, 2]], [[1], [2]], [1, 2]])
    def test_too_little(self, table: list[list[float]]) -> None:
        with pytest.raises(ValueError, match="two targets"):
            intraclass_correlation(table)


class TestBennett:
    def test_by_hand(self) -> None:
        assert bennett_s("yyyyn", "yyynn", 2) == pytest.approx(0.6)
        assert bennett_s("abca", "abcb", 3) == pytest.approx(0.625)

    def test_chance_gives_nothing(self) -> None:
        assert bennett_s("yyyy", "yynn", 2) == 0

    def test_no_common_answer(self) -> None:
        assert bennett_s("yy", "nn", 2) == -1

    def test_agreement_is_a_share(self) -> None:
        assert agreement([1, 2, 3, 4], [1, 2, 3, 5]) == 0.75

    def test_not_the_same_items(self) -> None:
        with pytest.raises(ValueError, match="same items"):
            agreement("yy", "y")
        with pytest.raises(ValueError, match="categories"):
            bennett_s("y", "y", 1)
