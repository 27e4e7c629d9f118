"""Polling for a result until a deadline."""

import threading
import time

PAUSE_SECONDS = 0.02


def wait_until(look, seconds=10, otherwise="it did not happen", pause=None):
    """Calls `look` until it returns a true value, and returns that value.

    `otherwise` is the failure message or a function that returns it. `pause` runs between two calls: a test that
    drives a browser must let it process events."""
    deadline = time.monotonic() + seconds
    while not (found := look()):
        if time.monotonic() >= deadline:
            said = otherwise() if callable(otherwise) else otherwise
            raise AssertionError(f"not within {seconds} s: {said}")
        if pause:
            pause()
        else:
            threading.Event().wait(PAUSE_SECONDS)
    return found


def answers(ask, *errors):
    """Returns a function that returns False while `ask` fails, then its result, or True if `ask` returns nothing."""
    def look():
        try:
            found = ask()
        except errors:
            return False
        return True if found is None else found

    return look
