"""Actions of the app lock."""

from playwright.sync_api import expect

from support.pages import words

RIGHT = "271828"
WRONG = "000000"


def heading(page, name):
    return page.get_by_role("heading", name=words(name), level=1)


def button(page, name):
    return page.get_by_role("button", name=words(name))


def field(page, name="Passcode"):
    return page.get_by_label(words(name))


def set_passcode(someone, passcode=RIGHT):
    someone.call("PUT", "/lock/passcode", {"passcode": passcode, "repeat": passcode}, expect=204)


def lock_session(page):
    """Locks the session from outside, like a timeout or another window."""
    answer = page.context.request.delete("/lock/unlocking", headers={"Accept": "application/json"})
    assert answer.status == 204, answer.text()


def lock_now(page):
    # An open page would go to the lock itself.
    page.goto("about:blank")
    lock_session(page)
    page.goto("/lock")
    expect(heading(page, "Locked")).to_be_visible()


def unlock(page, passcode=RIGHT):
    field(page).fill(passcode)
    button(page, "Unlock").click()
