"""Waiting for what happens elsewhere: looked at again and again until it is there, and no longer than a deadline."""

import threading
import time

PAUSE_SECONDS = 0.02


def wait_until(look, seconds=10, otherwise="it did not happen", pause=None):
    """Looks until that gives something true, and returns it.

    `otherwise` is what a failure says, or tells it. `pause` is what is done between two looks: a test that drives a browser
    has to let it work meanwhile.
    """
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
    """A look at something that fails until it is there. What gives nothing is there as soon as it doesn't fail."""
    def look():
        try:
            found = ask()
        except errors:
            return False
        return True if found is None else found

    return look
