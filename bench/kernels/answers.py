"""Are the outputs right?"""
import numpy as np

import spec


def difference(expected, got, kernel):
    """What is wrong with an output, or None."""
    if expected is None:
        return None
    expected = np.asarray(expected).reshape(got.shape)
    if got.dtype.kind != "f":
        wrong = got != expected.astype(got.dtype)
    else:
        expected, got = expected.astype(np.float64), got.astype(np.float64)
        finite = np.isfinite(expected)
        scale = np.sqrt(np.mean(expected[finite] ** 2)) if finite.any() else 1.0
        with np.errstate(invalid="ignore"):
            wrong = ~(np.abs(got - expected) <= kernel.tolerance * scale + 1e-30)
        same = (got == expected) | (np.isnan(got) & np.isnan(expected))
        wrong &= ~same
    share = wrong.mean()
    if share <= kernel.differing:
        return None
    first = np.unravel_index(np.argmax(wrong), wrong.shape)
    return "%d of %d differ, first %s: %s for %s" % (
        wrong.sum(), wrong.size, list(map(int, first)), got[first], expected[first])


def held(argument):
    return argument.data if isinstance(argument, spec.Buffer) else argument


def values(outputs):
    return [outputs[key] for key in sorted(outputs.files)]


def wrong_in(expected, outputs, kernel):
    for value, got in zip(expected, values(outputs)):
        wrong = difference(value, got, kernel)
        if wrong:
            return wrong
    return None


def judge(kernel, made):
    """For each driver what is wrong, or None.  `made` has each driver's outputs, or None.  Without
    an answer of our own that of another driver than Maniple is taken for right with which most agree,
    or of several the last one's."""
    if kernel.answer:
        answer = kernel.answer(*[held(argument) for argument in kernel.arguments()])
        expected = list(answer) if isinstance(answer, tuple) else [answer]
    else:
        there = [outputs for outputs in made if outputs is not None]
        others = [outputs for outputs in made[:0:-1] if outputs is not None] or there
        right = max(others, default=None, key=lambda outputs: sum(
            not wrong_in(values(outputs), other, kernel) for other in there))
        expected = right and values(right)
    return [outputs and wrong_in(expected, outputs, kernel) for outputs in made]
