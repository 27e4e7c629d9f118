"""Passkeys: Touch ID is offered and enabled (T-5-1-3), opens the lock (T-5-5-1), and signs in.

Chromium's own virtual authenticator creates real keys and real signatures. The server can't tell the difference."""

import re
import time

import pytest
from playwright.sync_api import expect

from support.layout_checks import SMALL, flaws
from support.lock import lock_session
from support.pages import FIVE_SECONDS, words
from support.passkeys import Authenticator, without_suggestions

PASSCODE = "271828"
PASSWORD = "correct horse battery"
# The page itself, and no page with it as the return address.
ITEMS = re.compile("^[^?]*/tracking/items$")
PASSKEYS = re.compile("^[^?]*/account/passkeys$")
LOCK = re.compile("^[^?]*/lock(\\?|$)")
JSON = {"Accept": "application/json"}


def read(page, path):
    answer = page.request.get(path, headers=JSON)
    assert answer.status == 200, (path, answer.status)
    return answer.json()


def set_passcode(page, back="/tracking/items"):
    """Sets a passcode through the page and ends on the view that offers Touch ID. Returns the time of the tap on
    Save."""
    page.goto(f"/account/lock/passcode?return={back}")
    page.get_by_label("New passcode").fill(PASSCODE)
    page.get_by_label("Repeat the passcode").fill(PASSCODE)
    saved = time.monotonic()
    page.get_by_role("button", name=words("Save")).click()
    page.wait_for_url(re.compile("/account/touch-id"))
    return saved


def confirm(page):
    """Enters the password, which adding a passkey requires."""
    page.get_by_label("Your password").fill(PASSWORD)


def enable(page):
    confirm(page)
    page.get_by_role("button", name=words("Enable")).click()
    page.wait_for_url(ITEMS)


def lock_now(page):
    # An open page would go to the lock and be unlocked before the test could check it.
    page.goto("about:blank")
    lock_session(page)
    assert read(page, "/lock")["locked"]


def touch_button(page):
    return page.get_by_role("button", name=words("Unlock with Touch ID"))


def expect_locked(page):
    assert read(page, "/lock")["locked"]
    assert page.request.get("/tracking/items", headers=JSON).status == 423


def expect_open(page):
    expect(page).to_have_url(ITEMS)
    assert page.request.get("/tracking/items", headers=JSON).status == 200


@pytest.fixture
def owner(person, sign_in):
    """A person with a phone that has a fingerprint reader."""
    def make(name="Ada"):
        someone = person(name)
        page = sign_in(someone)
        return someone, page, Authenticator(page)
    return make


@pytest.fixture
def protected(owner):
    """A person with a passcode and Touch ID."""
    def make(name="Ada"):
        someone, page, authenticator = owner(name)
        someone.call("PUT", "/lock/passcode", {"passcode": PASSCODE, "repeat": PASSCODE}, expect=204)
        page.goto("/account/touch-id?return=/tracking/items")
        enable(page)
        return someone, page, authenticator
    return make


@pytest.mark.spec("T-5-1-3")
def test_touch_id_is_offered_after_the_passcode_enabled_and_enabled_again(owner):
    _, page, authenticator = owner()
    authenticator.knows_owner(False)
    started = set_passcode(page)
    expect(page.get_by_role("heading", name=words("Touch ID"), level=1)).to_be_visible(timeout=FIVE_SECONDS)
    assert time.monotonic() - started < 5
    expect(page.locator("[data-icon='fingerprint-pattern']").first).to_be_attached()
    expect(page.get_by_text(re.compile("instead of typing the passcode"))).to_be_visible()
    buttons = page.locator("main").get_by_role("button")
    expect(buttons).to_have_text(["Enable", "Not now"])
    # An unknown finger enables nothing.
    confirm(page)
    page.get_by_role("button", name=words("Enable")).click()
    expect(page.get_by_text("no passkey was created")).to_be_visible()
    assert read(page, "/account/touch-id") == {"available": True, "enabled": False, "decided": False}
    assert read(page, "/account/passkeys")["items"] == []
    # The right finger, on the same page.
    authenticator.knows_owner()
    enable(page)
    assert read(page, "/account/touch-id") == {"available": True, "enabled": True, "decided": True}
    lock = read(page, "/lock")
    assert lock["passcodeSet"] and lock["passkeySet"] and not lock["locked"]
    made = authenticator.credentials()
    assert [credential["rpId"] for credential in made] == ["localhost"]
    # It is a discoverable platform passkey, and its only user data is an id.
    assert made[0]["isResidentCredential"]
    page.goto("/account/passkeys")
    expect(page.get_by_role("listitem").filter(has_text="Chrome on Android")).to_be_visible()
    page.goto("/account/touch-id")
    expect(page.get_by_text("Touch ID opens the lock.")).to_be_visible()
    # Turned off and on again, the device reuses its passkey.
    page.get_by_role("button", name=words("Turn off")).click()
    page.wait_for_url(re.compile("/account/lock"))
    assert not read(page, "/lock")["passkeySet"]
    page.goto("/account/touch-id?return=/tracking/items")
    enable(page)
    assert read(page, "/lock")["passkeySet"]
    assert len(authenticator.credentials()) == 1


@pytest.mark.spec("T-5-1-3")
def test_not_now_is_remembered_and_creates_no_passkey(owner):
    _, page, authenticator = owner()
    set_passcode(page)
    page.get_by_role("button", name=words("Not now")).click()
    page.wait_for_url(ITEMS)
    assert read(page, "/account/touch-id") == {"available": True, "enabled": False, "decided": True}
    assert authenticator.credentials() == []
    lock_now(page)
    page.goto("/tracking/items")
    expect(page).to_have_url(LOCK)
    expect(page.get_by_label("Passcode", exact=True)).to_be_visible()
    expect(touch_button(page)).to_have_count(0)


def test_device_without_a_fingerprint_reader_is_reported(person, sign_in):
    page = sign_in(person())
    set_passcode(page)
    page.get_by_role("button", name=words("Enable")).click()
    expect(page.get_by_text(re.compile("This device has no Touch ID"))).to_be_visible()


def test_browser_without_passkeys_is_reported(person, phone):
    page = phone(person().server)
    page.add_init_script("delete window.PublicKeyCredential")
    page.goto("/sign-in")
    button = page.get_by_role("button", name=words("Sign in with a passkey"))
    expect(button).to_be_disabled()
    expect(page.get_by_text("This browser can’t use passkeys here.")).to_be_visible()
    assert "can’t use passkeys" in page.locator(f"#{button.get_attribute('aria-describedby')}").text_content()


def test_passcode_works_without_scripts_and_passkeys_explain_why_not(person, phone):
    page = phone(person().server, java_script_enabled=False)
    page.goto("/sign-in")
    expect(page.get_by_text("Passkeys and Touch ID need JavaScript.")).to_be_visible()
    expect(page.get_by_role("button", name=words("Sign in with a passkey"))).to_be_hidden()


def lock_and_fail(page):
    """Locks the session and opens a page whose automatic unlocking fails."""
    lock_now(page)
    page.goto("/tracking/items")
    expect(page.get_by_text("Enter your passcode, or try again.")).to_be_visible()
    expect_locked(page)


@pytest.mark.spec("T-5-5-1")
def test_lock_opens_with_touch_id_first_and_falls_back_to_the_passcode(protected):
    _, page, authenticator = protected()
    before = authenticator.credentials()[0]["signCount"]
    lock_now(page)
    page.goto("/tracking/items")
    # Without typing or tapping.
    page.wait_for_url(ITEMS)
    expect_open(page)
    assert authenticator.credentials()[0]["signCount"] >= before
    assert read(page, "/account/passkeys")["items"][0]["lastUsedAt"]

    # A wrong finger never counts as a wrong passcode.
    authenticator.knows_owner(False)
    lock_and_fail(page)
    expect(page.get_by_label("Passcode", exact=True)).to_be_focused()
    for _ in range(7):
        touch_button(page).click()
        expect(touch_button(page)).not_to_have_attribute("aria-busy", "true")
    assert read(page, "/lock")["retryAfterSeconds"] == 0
    expect_locked(page)
    page.get_by_label("Passcode", exact=True).fill(PASSCODE)
    page.get_by_role("button", name=words("Unlock")).click()
    page.wait_for_url(ITEMS)
    expect_open(page)

    # The button works by keyboard.
    lock_and_fail(page)
    authenticator.knows_owner()
    for _ in range(10):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.hasAttribute('data-passkey-start')"):
            break
    expect(touch_button(page)).to_be_focused()
    page.keyboard.press("Enter")
    page.wait_for_url(ITEMS)
    expect_open(page)

    # The device lost the passkey.
    authenticator.forget()
    lock_and_fail(page)


def test_removed_passkey_is_rejected(protected):
    _, page, authenticator = protected()
    page.goto("/account/passkeys")
    page.get_by_role("button", name=re.compile("^Remove")).click()
    question = page.get_by_role("alertdialog")
    expect(question).to_contain_text("Chrome on Android")
    question.get_by_role("button", name=words("Remove")).click()
    expect(page.get_by_text("No passkeys yet")).to_be_visible()
    assert len(authenticator.credentials()) == 1
    assert not read(page, "/lock")["passkeySet"]
    lock_now(page)
    page.goto("/tracking/items")
    expect(page.get_by_label("Passcode", exact=True)).to_be_visible()
    expect(touch_button(page)).to_have_count(0)
    expect_locked(page)
    # Sign-in doesn't know it either.
    page.goto("/sign-in")
    expect(page.get_by_role("alert").filter(has_text="This passkey doesn’t work here.")).to_be_visible()
    expect_locked(page)


def test_sign_in_by_passkey_needs_no_typing(protected, phone):
    someone, _, authenticator = protected()
    [credential] = authenticator.credentials()
    # Another phone of the same person with the synced passkey.
    other = phone(someone.server)
    without_suggestions(other)
    second = Authenticator(other)
    second.take(credential)
    second.knows_owner(False)
    other.goto("/sign-in?return=/account/passkeys")
    button = other.get_by_role("button", name=words("Sign in with a passkey"))
    button.click()
    expect(other.get_by_text("or sign in with email and password")).to_be_visible()
    assert other.request.get("/account", headers=JSON).status == 401
    second.knows_owner()
    button.click()
    other.wait_for_url(PASSKEYS)
    assert read(other, "/account")["email"] == someone.email
    lock = read(other, "/lock")
    assert lock["passcodeSet"] and not lock["locked"]

    # The browser suggests passkeys in the email field. The virtual authenticator selects the suggestion automatically.
    other = phone(someone.server)
    third = Authenticator(other)
    # With the counter of its last use, which the server compares.
    third.take(second.credentials()[0])
    other.goto("/sign-in?return=/account/passkeys")
    expect(other).to_have_url(PASSKEYS)
    assert read(other, "/account")["email"] == someone.email

    [credential] = third.credentials()
    for script in ("app.js", "passkeys.js"):
        credential = sign_in_before_script_is_loaded(phone(someone.server), script, credential)


def sign_in_before_script_is_loaded(page, script, credential):
    """Taps the button before the script has loaded. Returns the credential with its new counter."""
    without_suggestions(page)
    authenticator = Authenticator(page)
    authenticator.take(credential)
    held = []
    is_loading = True

    def hold(route):
        held.append(route) if is_loading else route.continue_()

    page.route(f"**/js/{script}", hold)
    with page.expect_request(f"**/js/{script}"):
        page.goto("/sign-in?return=/account/passkeys", wait_until="commit")
    page.get_by_role("button", name=words("Sign in with a passkey")).click()
    is_loading = False
    held.pop().continue_()
    page.wait_for_url(PASSKEYS)
    return authenticator.credentials()[0]


def test_settings_add_one_passkey_per_device(owner):
    _, page, authenticator = owner()
    page.goto("/account")
    page.get_by_role("link", name="Passkeys").click()
    expect(page.get_by_text("No passkeys yet")).to_be_visible()
    add = page.get_by_role("button", name=words("Add a passkey"))
    # Without the password the browser doesn't use the authenticator.
    add.click()
    expect(page.get_by_text("Enter your password.")).to_be_visible()
    expect(page.get_by_label("Your password")).to_be_focused()
    page.get_by_label("Your password").fill("guess")
    add.click()
    expect(page.get_by_text("That is not your password.")).to_be_visible()
    assert authenticator.credentials() == []
    confirm(page)
    add.click()
    expect(page.get_by_text("Passkey added")).to_be_visible()
    expect(page.get_by_role("listitem").filter(has_text="Chrome on Android")).to_be_visible()
    confirm(page)
    add.click()
    expect(page.get_by_text("This device already has a passkey for your account.")).to_be_visible()
    assert len(authenticator.credentials()) == 1
    assert len(read(page, "/account/passkeys")["items"]) == 1


def test_the_views_are_accessible_fit_small_phones_and_have_large_targets(owner):
    _, page, authenticator = owner()
    page.set_viewport_size(SMALL)
    problems = {}

    def look(view):
        page.wait_for_load_state("load")
        if found := flaws(page):
            problems[view] = found

    # The layout tests look at the pages without a passkey.
    set_passcode(page)
    authenticator.knows_owner(False)
    confirm(page)
    page.get_by_role("button", name=words("Enable")).click()
    expect(page.get_by_text("no passkey was created")).to_be_visible()
    look("the offer, refused")
    authenticator.knows_owner()
    enable(page)
    for path in ["/account/passkeys", "/account/touch-id"]:
        page.goto(path)
        look(path)
    authenticator.knows_owner(False)
    lock_now(page)
    page.goto("/tracking/items")
    expect(page.get_by_text("Enter your passcode, or try again.")).to_be_visible()
    look("the lock, refused")
    assert not problems
