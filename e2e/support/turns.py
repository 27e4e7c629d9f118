"""Whose turn it is, where two processes share the tests: one that names a time has the machine for itself."""

import fcntl
from contextlib import contextmanager

# What a test, or a helper that it calls, says when a requirement's time counts.
TIMES = {"ONE_SECOND", "FIVE_SECONDS"}


def names_a_time(function, seen=None):
    """Whether the function, or one of this project's that it calls, uses one of the times."""
    seen = set() if seen is None else seen
    code = getattr(function, "__code__", None)
    if code is None or code in seen:
        return False
    seen.add(code)
    names = _names(code)
    if names & TIMES:
        return True
    known = function.__globals__
    called = (known[name] for name in names if name in known)
    return any(names_a_time(one, seen) for one in called if getattr(one, "__module__", "").startswith(("test_", "support")))


def _names(code):
    """What the code and the functions inside it mention."""
    inner = (one for one in code.co_consts if hasattr(one, "co_names"))
    return set(code.co_names).union(*map(_names, inner))


@contextmanager
def turn(folder, is_alone):
    """Waits until the others are out (`is_alone`), or until nobody is alone. Whoever wants to be alone stops newcomers
    at the door first, so that its turn comes."""
    with open(folder / "door", "a") as door, open(folder / "room", "a") as room:
        fcntl.flock(door, fcntl.LOCK_EX)
        fcntl.flock(room, fcntl.LOCK_EX if is_alone else fcntl.LOCK_SH)
        fcntl.flock(door, fcntl.LOCK_UN)
        yield
