"""Writes vectors.json: reference values of flake-stats at 60 digits, from the definitions alone.

Needs Python 3 and mpmath 1.4. `python vectors.py > vectors.json`
"""

import json
import math
from fractions import Fraction

from mpmath import beta, betainc, erfinv, findroot, log, mp, mpf, quad, sqrt

mp.dps = 60

COUNTS = [(0, 1), (1, 1), (0, 9), (4, 9), (9, 9), (2, 31), (1, 170), (57, 170), (3, 2500), (2497, 2500)]
LEVELS = [0.8, 0.95, 0.995]


def z(level):
    return sqrt(2) * erfinv(mpf(level))


def beta_quantile(q, a, b):
    """The root of the regularised incomplete beta function, by halving, then by secants."""
    low, high = mpf(0), mpf(1)
    for _ in range(40):
        middle = (low + high) / 2
        if betainc(a, b, 0, middle, regularized=True) < q:
            low = middle
        else:
            high = middle
    step = lambda x: betainc(a, b, 0, x, regularized=True) - q
    return findroot(step, (low, high), solver="anderson", tol=mpf(10) ** -50)


def wilson(k, n, level):
    p, t = mpf(k) / n, z(level)
    centre = p + t * t / (2 * n)
    half = t * sqrt(p * (1 - p) / n + t * t / (4 * mpf(n) * n))
    whole = 1 + t * t / n
    low = mpf(0) if k == 0 else (centre - half) / whole
    high = mpf(1) if k == n else (centre + half) / whole
    return low, high


def tails(k, n, level, low_at, high_at):
    q = (1 - mpf(level)) / 2
    low = mpf(0) if k == 0 else beta_quantile(q, *low_at)
    high = mpf(1) if k == n else beta_quantile(1 - q, *high_at)
    return low, high


def clopper_pearson(k, n, level):
    return tails(k, n, level, (k, n - k + 1), (k + 1, n - k))


def jeffreys(k, n, level):
    half = mpf(1) / 2
    both = (k + half, n - k + half)
    return tails(k, n, level, both, both)


def intervals(interval):
    rows = []
    for k, n in COUNTS:
        for level in LEVELS:
            low, high = interval(k, n, level)
            rows.append({"k": k, "n": n, "conf": level, "lo": float(low), "hi": float(high)})
    return rows


def zero_failures():
    rows = []
    for n in [1, 2, 5, 12, 40, 170, 1000, 123456]:
        for level in [0.9, 0.95, 0.999]:
            left = 1 - mpf(level)
            row = {"n": n, "conf": level}
            row["upper_exact"] = float(1 - left ** (mpf(1) / n))
            row["rule_general"] = float(-log(left) / n)
            rows.append(row)
    return rows


def outcomes():
    rows = []
    for rate in [0.004, 0.03, 0.15, 0.5, 0.85, 0.999]:
        for n in [1, 2, 5, 13, 60, 400]:
            p = mpf(rate)
            row = {"fail_rate": rate, "n": n, "all_pass": float((1 - p) ** n)}
            row["all_fail"] = float(p**n)
            row["both"] = 0.0 if n == 1 else float(1 - (1 - p) ** n - p**n)
            rows.append(row)
    return rows


def runs_needed():
    def least(enough):
        n = 1
        while not enough(n):
            n += 1
        return n

    rows = []
    for rate in [0.006, 0.03, 0.15, 0.4, 0.65]:
        for level in [0.5, 0.9, 0.975]:
            p, c = mpf(rate), mpf(level)
            one = least(lambda n: 1 - (1 - p) ** n >= c)
            both = least(lambda n: 1 - (1 - p) ** n - p**n >= c)
            rows.append({"fail_rate": rate, "conf": level, "runs_one_fail": one, "runs_both_outcomes": both})
    return rows


def fisher():
    rows = []
    tables = [(0, 9, 1, 8), (2, 5, 6, 1), (1, 27, 9, 19), (13, 4, 3, 16), (0, 4, 0, 4), (40, 60, 61, 39), (5, 0, 0, 5)]
    for a, b, c, d in tables:
        failed, first, whole = a + c, a + b, a + b + c + d
        low, high = max(0, failed - (c + d)), min(first, failed)
        weight = lambda x: Fraction(math.comb(first, x) * math.comb(c + d, failed - x), math.comb(whole, failed))
        weights = {x: weight(x) for x in range(low, high + 1)}
        seen = weights[a]
        less = sum(w for x, w in weights.items() if x <= a)
        greater = sum(w for x, w in weights.items() if x >= a)
        slack = seen * (1 + Fraction(1, 10**7))
        rows.append(
            {
                "table": [a, b, c, d],
                "p_less": float(less),
                "p_greater": float(greater),
                "p_two_sided": float(sum(w for w in weights.values() if w <= seen)),
                "p_two_sided_relerr_1e7": float(sum(w for w in weights.values() if w <= slack)),
                "midp_less": float(less - seen / 2),
                # Ours are fractions of 128 bits; where they do not fit there is none.
                "exact_less": f"{less.numerator}/{less.denominator}" if less.denominator < 2**128 else None,
            }
        )
    return rows


def percentiles():
    rows = []
    for values in [[4.5], [9.0, -2.0], [3.25, 0.5, 8.0, 8.0, 1.0], [float(x * x % 37) for x in range(1, 51)]]:
        ordered = sorted(values)
        for q in [0.0, 0.07, 0.25, 0.5, 0.9, 1.0]:
            n = len(values)
            element = max(1, math.ceil(q * n))
            at = q * (n - 1)
            low, high = math.floor(at), math.ceil(at)
            between = ordered[low] + (at - low) * (ordered[high] - ordered[low])
            rows.append({"values": values, "q": q, "disc": ordered[element - 1], "cont": between})
    return rows


def posterior():
    rows = []
    for k, n in [(0, 5), (2, 11), (30, 90)]:
        for prior in [(1.0, 1.0), (0.5, 0.5), (0.05, 0.5)]:
            for x in [0.02, 0.2, 0.6]:
                a, b = mpf(prior[0]) + k, mpf(prior[1]) + n - k
                above = betainc(a, b, mpf(x), 1, regularized=True)
                rows.append({"k": k, "n": n, "prior": list(prior), "x": x, "p_rate_above": float(above)})
    return rows


def compare():
    """Uniform priors: the integral over the parent's rate, of polynomials, as a fraction."""
    rows = []
    for parent, patch in [((0, 5), (2, 5)), ((3, 8), (3, 8)), ((1, 12), (0, 6)), ((0, 20), (9, 20))]:
        (k, n), (l, m) = parent, patch
        a, b, c, d = k + 1, n - k + 1, l + 1, m - l + 1
        whole = lambda p, q: Fraction(math.factorial(p - 1) * math.factorial(q - 1), math.factorial(p + q - 1))
        # P(patch > x) is the chance of fewer than `c` successes in c+d-1 draws at rate x.
        above = Fraction(0)
        for i in range(c):
            above += math.comb(c + d - 1, i) * whole(a + i, b + c + d - 1 - i) / whole(a, b)
        rows.append(
            {
                "parent": [k, n],
                "patch": [l, m],
                "p_patch_rate_above_parent": float(above),
                "exact": f"{above.numerator}/{above.denominator}",
            }
        )
        # The same by quadrature: the fraction above is not trusted alone.
        density = lambda x: x ** (a - 1) * (1 - x) ** (b - 1) / beta(a, b) * betainc(c, d, x, 1, regularized=True)
        assert abs(quad(density, [0, 0.5, 1]) - mpf(above.numerator) / above.denominator) < mpf(10) ** -20
    return rows


document = {
    "z_two_sided": [{"conf": level, "z": float(z(level))} for level in [0.1, 0.68, 0.8, 0.995, 0.99999]],
    "wilson": intervals(wilson),
    "clopper_pearson": intervals(clopper_pearson),
    "jeffreys": intervals(jeffreys),
    "zero_fail_upper": zero_failures(),
    "both_outcomes": outcomes(),
    "runs_needed": runs_needed(),
    "fisher_exact": fisher(),
    "percentiles": percentiles(),
    "beta_posterior": posterior(),
    "beta_compare": compare(),
}
blocks = (f'"{name}": [\n' + ",\n".join(json.dumps(row) for row in rows) + "\n]" for name, rows in document.items())
print("{\n" + ",\n".join(blocks) + "\n}")
