def analysis(summary_df, activities_df, population_df, profile_df, labs_df, surveys_df) -> dict:
    end = profile_df["data_through"].iloc[0]
    points = [(day.toordinal(), float(value)) for day, value in summary_df["vo2max"].items()
              if value == value and (end - day).days < 180]
    if len(points) < 8 or points[-1][0] - points[0][0] < 56:
        return {"outcome": "insufficient", "values": len(points), "slope_per_30_days": None, "r_squared": None,
                "fitted_end": None}
    n = len(points)
    mx, my = sum(x for x, _ in points) / n, sum(y for _, y in points) / n
    sxx = sum((x - mx) ** 2 for x, _ in points)
    syy = sum((y - my) ** 2 for _, y in points)
    sxy = sum((x - mx) * (y - my) for x, y in points)
    return {"outcome": "ok", "values": n, "slope_per_30_days": 30 * sxy / sxx,
            "r_squared": sxy**2 / (sxx * syy) if syy else 0.0, "fitted_end": my + sxy / sxx * (points[-1][0] - mx)}
