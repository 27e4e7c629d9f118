"""Cancelling the browser's own passkey dialog: at creation, at the lock, and at sign-in.

The browser has a window on a virtual screen here, because a headless browser has no dialog."""

import os
import re

import pytest
from playwright.sync_api import expect

from conftest import ARGUMENTS, CHROMIUM
from support.desktop import Desktop
from support.lock import field, lock_session, set_passcode, unlock
from support.pages import words
from support.passkeys import Authenticator, without_suggestions
from support.patience import wait_until

ITEMS = re.compile("^[^?]*/tracking/items$")
# The pause between two key presses. The dialog opens after a moment, and the page can't detect it. As a protection, a
# new dialog ignores keys, and so does one that gets keys in quick succession.
PAUSE_MILLISECONDS = 1_000
PATIENCE_SECONDS = 20


@pytest.fixture(scope="module")
def desktop():
    with Desktop() as desktop:
        yield desktop


@pytest.fixture(scope="module")
def chromium(playwright, desktop):
    browser = playwright.chromium.launch(
        executable_path=CHROMIUM, headless=False, args=[*ARGUMENTS, "--window-position=0,0"],
        env={**os.environ, **desktop.environment()})
    yield browser
    browser.close()


def presses(page, desktop, key, is_done):
    """Presses a key until it has answered the dialog."""
    def look():
        page.wait_for_timeout(PAUSE_MILLISECONDS)
        if is_done():
            return True
        desktop.key(key)
        return False

    wait_until(look, PATIENCE_SECONDS, f"{key} did not answer the dialog", pause=lambda: None)


def cancels(page, desktop, says):
    message = page.get_by_text(says)
    presses(page, desktop, "Escape", message.is_visible)


def accepts(page, desktop, address, is_answered=lambda: False):
    """Accepts the dialog. `is_answered` stops the key presses while the page is still navigating, because another press
    would start again."""
    presses(page, desktop, "Return", lambda: bool(address.search(page.url)) or is_answered())
    page.wait_for_url(address)


def read(page, path):
    return page.request.get(path, headers={"Accept": "application/json"}).json()


@pytest.mark.spec("T-5-1-3", "T-5-5-1")
def test_cancelled_passkey_can_be_retried_or_replaced_by_typing(person, sign_in, phone, desktop):
    someone = person()
    set_passcode(someone)
    page = sign_in(someone)
    authenticator = Authenticator(page, asks=True)

    # At creation.
    page.goto("/account/touch-id?return=/tracking/items")
    enable = page.get_by_role("button", name=words("Enable"))
    page.get_by_label("Your password").fill(someone.password)
    enable.click()
    cancels(page, desktop, "That was cancelled or didn’t work, and no passkey was created.")
    assert authenticator.credentials() == []
    assert read(page, "/account/passkeys")["items"] == []
    assert read(page, "/account/touch-id") == {"available": True, "enabled": False, "decided": False}
    enable.click()
    accepts(page, desktop, ITEMS, authenticator.credentials)
    [credential] = authenticator.credentials()
    assert read(page, "/account/touch-id")["enabled"]

    # At the lock, which then opens with the passcode, and another time with the finger.
    cancels_unlocking(page, desktop, authenticator)
    unlock(page)
    page.wait_for_url(ITEMS)
    assert not read(page, "/lock")["locked"]
    cancels_unlocking(page, desktop, authenticator)
    authenticator.take(credential)
    page.get_by_role("button", name=words("Unlock with Touch ID")).click()
    page.wait_for_url(ITEMS)
    assert not read(page, "/lock")["locked"]
    # With the counter of its last use, which the server compares.
    [credential] = authenticator.credentials()
    page.context.close()

    # At sign-in, on another phone of the same person with the synced passkey.
    page = phone(someone.server)
    without_suggestions(page)
    Authenticator(page, asks=True).take(credential)
    page.goto("/sign-in?return=/tracking/items")
    button = page.get_by_role("button", name=words("Sign in with a passkey"))
    button.click()
    cancels(page, desktop, "That was cancelled or didn’t work. Try again, or sign in with email and password.")
    assert page.request.get("/account", headers={"Accept": "application/json"}).status == 401
    button.click()
    accepts(page, desktop, ITEMS)
    assert read(page, "/account")["email"] == someone.email


def cancels_unlocking(page, desktop, authenticator):
    # A browser with the passkey leaves the dialog to the operating system, which has none here. A browser without it
    # shows its own dialog.
    authenticator.forget()
    # An open page would go to the lock and close the dialog.
    page.goto("about:blank")
    lock_session(page)
    page.goto("/tracking/items")
    cancels(page, desktop, "Touch ID was cancelled or didn’t work.")
    expect(field(page)).to_be_focused()
    lock = read(page, "/lock")
    # It doesn't count as a wrong passcode.
    assert lock["locked"] and lock["retryAfterSeconds"] == 0
