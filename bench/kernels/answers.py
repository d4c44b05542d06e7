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


def judge(kernel, made):
    """For each driver what is wrong, or None.  `made` has each driver's outputs, or None.  Without
    an answer of our own the last driver's is taken for right, which is never Maniple's if there is
    another."""
    if kernel.answer:
        answer = kernel.answer(*[held(argument) for argument in kernel.arguments()])
        expected = list(answer) if isinstance(answer, tuple) else [answer]
    else:
        right = next((outputs for outputs in reversed(made) if outputs is not None), None)
        expected = right and [right[key] for key in sorted(right.files)]
    verdicts = []
    for outputs in made:
        wrong = None
        if outputs is not None:
            for value, key in zip(expected, sorted(outputs.files)):
                wrong = wrong or difference(value, outputs[key], kernel)
        verdicts.append(wrong)
    return verdicts
