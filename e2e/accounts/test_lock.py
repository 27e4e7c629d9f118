"""The app lock: locking, unlocking, and the responses to a locked browser."""

import re

import pytest
from playwright.sync_api import expect

from support.lock import RIGHT, WRONG, button, field, heading, lock_now, set_passcode, unlock
from support.offline import see, with_worker
from support.pages import open_list, until, words
from support.program_clock import ProgramClock
from support.server import Person

ANIMATION = "() => getComputedStyle(document.querySelector('.lock-ring'), '::before').animationName"
# Records the unlock animation as soon as it is visible. (A page that is about to unload answers no queries.)
NOTE_OPENING = f"""() => {{
    const opening = document.querySelector("[data-opening]");
    const note = () => sessionStorage.setItem("seen", JSON.stringify(
        [opening.checkVisibility(), opening.innerText.trim(), ({ANIMATION})()]));
    new MutationObserver(note).observe(opening, {{ attributes: true }});
}}"""

# Whether the browser could show the list without a connection and without the lock.
KEPT_ITEMS = """(await Promise.all((await caches.keys()).map(async (name) => (await (await caches.open(name)).keys())
    .some(({ url }) => url.includes("/tracking/items") && url.includes("homeward-face=page"))))).some(Boolean)"""


def countdown(page):
    """Returns the seconds of the countdown."""
    timer = page.get_by_role("timer")
    expect(timer).to_be_visible()
    text = timer.inner_text()
    minutes, seconds = text.split(":")
    return int(minutes) * 60 + int(seconds)


@pytest.mark.spec("T-5-5-2")
def test_countdown_after_five_wrong_passcodes_survives_reloads_and_tabs(person, sign_in):
    someone = person()
    page = sign_in(someone)
    set_passcode(someone)
    lock_now(page)
    for left in ("4 more times", "3 more times", "2 more times", "once more"):
        unlock(page, WRONG)
        expect(page.get_by_text(re.compile(f"That is not the passcode. You can try {left}")).first).to_be_visible()
        expect(field(page)).to_have_value("")
        expect(field(page)).to_be_enabled()
    unlock(page, WRONG)
    expect(page.get_by_text("Too many wrong passcodes")).to_be_visible()
    expect(field(page)).to_be_disabled()
    expect(button(page, "Unlock")).to_be_disabled()
    first = countdown(page)
    assert 590 <= first <= 600
    until(page, "(shown) => document.querySelector('[role=timer]').textContent !== shown",
          page.get_by_role("timer").inner_text())
    page.reload()
    left = countdown(page)
    assert 0 < left < first
    tab = page.context.new_page()
    tab.goto("/tracking/items")
    assert countdown(tab) <= first
    tab.close()
    # Even the right passcode is rejected, from any session.
    status, headers, answer = someone.server.request("POST", "/lock/unlocking", {"passcode": RIGHT}, someone.token)
    assert status == 429 and answer["error"]["code"] == "throttled"
    assert left - 10 <= int(headers["Retry-After"]) <= left

    page.clock.install()
    page.goto("/lock")
    expect(field(page)).to_be_disabled()
    page.clock.fast_forward("10:01")
    expect(page.get_by_text("You can try again now.")).to_be_visible()
    expect(field(page)).to_be_enabled()
    expect(field(page)).to_be_focused()
    expect(button(page, "Unlock")).to_be_enabled()


@pytest.mark.spec("T-5-5-3")
def test_unlocking_shows_an_animation_and_then_the_items(person, sign_in):
    someone = person()
    someone.add_item("Keys")
    page = sign_in(someone, reduced_motion="no-preference")
    set_passcode(someone)
    lock_now(page)
    page.wait_for_load_state("networkidle")
    page.evaluate(NOTE_OPENING)
    unlock(page)
    # The animation is visible until the list has loaded.
    expect(heading(page, "Items")).to_be_visible()
    expect(page.get_by_text("Keys", exact=True).first).to_be_visible()
    is_visible, said, animation = page.evaluate("() => JSON.parse(sessionStorage.getItem('seen'))")
    assert is_visible and "Opening" in said and animation == "lock-turns"


@pytest.mark.spec("T-5-5-3")
def test_unlock_animation_respects_reduced_motion(person, sign_in):
    someone = person()
    page = sign_in(someone, reduced_motion="reduce")
    set_passcode(someone)
    lock_now(page)
    page.evaluate("() => { document.querySelector('[data-opening]').hidden = false; }")
    assert page.evaluate(ANIMATION) == "none"


def test_locking_elsewhere_covers_the_page(person, sign_in):
    someone = person()
    page = sign_in(someone)
    set_passcode(someone)
    open_list(page)
    until(page, "() => document.documentElement.dataset.live === 'open'")
    # A window opened by the app's own page is not a launch.
    with page.expect_popup() as opened:
        page.evaluate("() => { open('/account/lock'); }")
    button(opened.value, "Lock now").click()
    expect(heading(page, "Locked")).to_be_visible()
    unlock(page)
    expect(heading(page, "Items")).to_be_visible()


def test_a_new_tab_and_a_browser_that_was_closed_are_new_launches(person, sign_in):
    someone = person()
    page = sign_in(someone)
    set_passcode(someone)
    open_list(page)
    page.reload()
    expect(heading(page, "Items")).to_be_visible()
    tab = page.context.new_page()
    # It redirects to the lock before it has loaded, and gets nothing before.
    gate = []
    tab.on("response", lambda response: gate.append(response) if response.url.endswith("/tracking/items") else None)
    tab.goto("/tracking/items", wait_until="commit")
    expect(heading(tab, "Locked")).to_be_visible()
    assert [int(response.headers["content-length"]) < 2_000 for response in gate] == [True]
    # The session is locked, so the first tab is, too.
    expect(heading(page, "Locked")).to_be_visible()
    unlock(tab)
    expect(heading(tab, "Items")).to_be_visible()
    # The first tab is unlocked, too, and its reload locks nothing.
    page.reload()
    expect(heading(page, "Items")).to_be_visible()
    tab.reload()
    expect(heading(tab, "Items")).to_be_visible()
    # An open page would learn of the lock and go there itself.
    tab.goto("about:blank")
    tab.context.clear_cookies(name="homeward-open")
    tab.goto("/tracking/items")
    expect(heading(tab, "Locked")).to_be_visible()


@pytest.mark.spec("T-5-5-2")
@pytest.mark.parametrize("worker", [False, pytest.param(True, marks=pytest.mark.service_worker)])
def test_resources_opened_in_a_new_tab_are_locked(person, sign_in, worker):
    """A download, a picture, which the worker handles, and a page that doesn't exist. (A Swift test has all routes.)"""
    someone = person()
    picture = someone.call("GET", "/pictures?builtin=true")["items"][0]["id"]
    page = sign_in(someone)
    # Only with this proof would the export be a download.
    page.goto("/account/proofs/export")
    page.get_by_label("Password").fill(someone.password)
    page.get_by_role("button", name=words("Continue")).click()
    expect(page.get_by_role("link", name="Download")).to_be_visible()
    if worker:
        with_worker(page)
    set_passcode(someone)
    open_list(page)
    downloads = []
    page.context.on("page", lambda opened: opened.on("download", lambda download: downloads.append(download.url)))
    for path in ("/account/export", f"/pictures/{picture}?size=small", "/no/such/page"):
        tab = page.context.new_page()
        tab.goto(path, wait_until="commit")
        expect(heading(tab, "Locked"), path).to_be_visible()
        # The session is locked, so the first tab is, too.
        expect(heading(page, "Locked")).to_be_visible()
        assert downloads == []
        assert tab.request.get("/tracking/items", headers={"Accept": "application/json"}).status == 423
        tab.close()
        unlock(page)
        expect(heading(page, "Items")).to_be_visible()


def test_unlocked_tab_opens_resources_by_address(person, sign_in):
    someone = person()
    item = someone.add_item("Keys")
    picture = someone.call("GET", "/pictures?builtin=true")["items"][0]["id"]
    page = sign_in(someone)
    set_passcode(someone)
    open_list(page)
    page.goto(f"/pictures/{picture}?size=small")
    until(page, "() => document.images.length === 1 && document.images[0].naturalWidth > 0")
    page.go_back()
    open_list(page)
    with page.expect_download() as download:
        page.evaluate("(path) => { location.assign(path); }", f"/tracking/items/{item['id']}/fixes?format=csv")
    assert download.value.suggested_filename.endswith(".csv")


@pytest.mark.service_worker
@pytest.mark.spec("T-5-5-2")
@pytest.mark.parametrize("place", ["/account", "/tracking/items"])
def test_offline_launch_is_always_locked(person, sign_in, place):
    """A page that is never cached, and a page that was cached before the passcode was set."""
    someone = person()
    someone.add_item("Keys")
    page = with_worker(sign_in(someone))
    see(page, "/tracking/items")
    set_passcode(someone)
    page.goto("/account")
    until(page, "() => localStorage.getItem('homeward-guarded') !== null")
    until(page, f"async () => !({KEPT_ITEMS})")
    page.context.set_offline(True)
    tab = page.context.new_page()
    tab.goto(place, wait_until="commit")
    expect(heading(tab, "Locked")).to_be_visible()
    expect(tab.get_by_text("Unlocking needs a connection.")).to_be_visible()
    assert "Items" not in tab.locator("main").inner_text()
    # The connection is back: the placeholder page doesn't bypass the lock.
    page.goto("about:blank")
    page.context.set_offline(False)
    expect(field(tab)).to_be_visible(timeout=20_000)
    assert tab.request.get("/tracking/items", headers={"Accept": "application/json"}).status == 423
    unlock(tab)
    tab.wait_for_url(f"**{place}")


def test_background_timeout_locks_and_covers_the_page(own_server, sign_in, tmp_path):
    clock = ProgramClock(tmp_path)
    someone = Person(own_server(environment=clock.environment))
    page = sign_in(someone)
    set_passcode(someone)
    page.goto("/account/lock")
    page.get_by_role("button", name=words("1 minute")).click()
    expect(page.get_by_role("button", name=words("1 minute"))).to_have_attribute("aria-current", "true")
    open_list(page)
    hide = """(isHidden) => {
        Object.defineProperty(document, "hidden", { value: isHidden, configurable: true });
        document.dispatchEvent(new Event("visibilitychange"));
    }"""
    # The page's clock advances, but the server knows that less than a minute has passed.
    page.evaluate("() => { const real = Date.now; window.later = 0; Date.now = () => real() + window.later; }")
    page.evaluate(hide, True)
    page.evaluate("() => { window.later = 61_000; }")
    page.evaluate(hide, False)
    until(page, "() => !('covered' in document.documentElement.dataset)")
    expect(heading(page, "Items")).to_be_visible()
    # Now a minute has passed, and the lock is the first thing shown.
    page.evaluate(hide, True)
    page.evaluate("() => { window.later += 61_000; }")
    clock.forward(61)
    page.evaluate(hide, False)
    expect(heading(page, "Locked")).to_be_visible()
    assert page.request.get("/tracking/items", headers={"Accept": "application/json"}).status == 423
    unlock(page)
    expect(heading(page, "Items")).to_be_visible()


def test_typing_postpones_the_lock(person, sign_in):
    someone = person()
    page = sign_in(someone)
    set_passcode(someone)
    page.goto("/tracking/items/new")
    asked = []
    page.on("request", lambda request: asked.append(request.url) if request.url.endswith("/account") else None)
    page.evaluate("() => { const real = Date.now; window.later = 0; Date.now = () => real() + window.later; }")
    page.keyboard.press("Tab")
    assert asked == []
    # The page reports activity after a quarter of the five minutes, not at each key.
    page.evaluate("() => { window.later = 76_000; }")
    with page.expect_response("**/account") as told:
        page.keyboard.press("Tab")
    assert told.value.ok
    page.keyboard.press("Tab")
    assert len(asked) == 1
