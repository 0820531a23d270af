"""Intervals of a mean, for the experiments of this folder."""

import math


def t_quantile(freedom):
    """Student's t for 95 %, two-sided."""
    table = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131]
    return table[freedom - 1] if freedom <= len(table) else 1.96 + 2.4 / freedom


def interval(values):
    mean = sum(values) / len(values)
    if len(values) < 2:
        return mean, float("nan")
    spread = math.sqrt(sum((value - mean) ** 2 for value in values) / (len(values) - 1))
    return mean, t_quantile(len(values) - 1) * spread / math.sqrt(len(values))
