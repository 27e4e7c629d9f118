"""Scheduling for two test processes: a test that measures time runs alone on the machine."""

import fcntl
from contextlib import contextmanager

# The names by which a test or its helper refers to a requirement's time limit.
TIMES = {"ONE_SECOND", "FIVE_SECONDS", "RECOVERY_SECONDS"}


def names_a_time(function, seen=None):
    """Whether the function, or a function of this project that it calls, uses one of the time limits."""
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
    return any(names_a_time(one, seen)
               for one in called if getattr(one, "__module__", "").startswith(("test_", "support")))


def _names(code):
    """Returns the names that the code and its inner functions use."""
    inner = (one for one in code.co_consts if hasattr(one, "co_names"))
    return set(code.co_names).union(*map(_names, inner))


@contextmanager
def turn(folder, is_alone):
    """Waits until no other test runs (`is_alone`), or until no test runs alone. A test that wants to run alone locks
    the first file, which holds back new tests until it gets its turn."""
    with open(folder / "queue.lock", "a") as queue, open(folder / "run.lock", "a") as run:
        fcntl.flock(queue, fcntl.LOCK_EX)
        fcntl.flock(run, fcntl.LOCK_EX if is_alone else fcntl.LOCK_SH)
        fcntl.flock(queue, fcntl.LOCK_UN)
        yield
