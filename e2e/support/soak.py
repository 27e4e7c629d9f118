"""Cases of a test that only `make soak` runs."""

import pytest


def few(cases, count=1):
    """Returns the cases for `parametrize`. `make test` runs the first `count`, and `make soak` the others."""
    first, further = list(cases)[:count], list(cases)[count:]
    return [*first, *(pytest.param(case, marks=pytest.mark.soak) for case in further)]
