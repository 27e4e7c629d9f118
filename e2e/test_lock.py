"""The app lock: setting a passcode, locking, unlocking, and what a locked browser gets."""

import re

import pytest
from playwright.sync_api import expect

from support.offline import see, with_worker
from support.pages import FIVE_SECONDS, open_list, until, words

RIGHT = "271828"
WRONG = "000000"
ANIMATION = "() => getComputedStyle(document.querySelector('.lock-ring'), '::before').animationName"
# Notes what is seen of the opening as soon as it shows. (A page that is about to leave answers no questions.)
NOTE_OPENING = f"""() => {{
    const opening = document.querySelector("[data-opening]");
    const note = () => sessionStorage.setItem("seen", JSON.stringify(
        [opening.checkVisibility(), opening.innerText.trim(), ({ANIMATION})()]));
    new MutationObserver(note).observe(opening, {{ attributes: true }});
}}"""

# Whether the list would still open without a connection, and without the lock.
KEPT_ITEMS = """(await Promise.all((await caches.keys()).map(async (name) => (await (await caches.open(name)).keys())
    .some(({ url }) => url.includes("/tracking/items") && url.includes("homeward-face=page"))))).some(Boolean)"""


def heading(page, name):
    return page.get_by_role("heading", name=words(name), level=1)


def button(page, name):
    return page.get_by_role("button", name=words(name))


def field(page, name="Passcode"):
    return page.get_by_label(words(name))


def set_passcode(someone, passcode=RIGHT):
    someone.call("PUT", "/lock/passcode", {"passcode": passcode, "repeat": passcode}, expect=204)


def fill_new(page, first, second):
    field(page, "New passcode").fill(first)
    field(page, "Repeat the passcode").fill(second)
    button(page, "Save").click()


def lock_now(page):
    page.goto("/account/lock")
    button(page, "Lock now").click()
    expect(heading(page, "Locked")).to_be_visible()


def unlock(page, passcode=RIGHT):
    field(page).fill(passcode)
    button(page, "Unlock").click()


def countdown(page):
    """The seconds that the countdown shows."""
    timer = page.get_by_role("timer")
    expect(timer).to_be_visible()
    text = timer.inner_text()
    minutes, seconds = text.split(":")
    return int(minutes) * 60 + int(seconds)


@pytest.mark.spec("T-5-1-1")
@pytest.mark.smoke
def test_the_passcode_view_says_why_and_has_a_lock_and_a_field(person, sign_in):
    page = sign_in(person())
    open_list(page)
    # The first time Tracking is opened, it is offered.
    offer = page.get_by_role("region", name=re.compile("passcode", re.I))
    expect(offer).to_be_visible()
    offer.get_by_role("link", name=words("Set a passcode")).click()
    expect(heading(page, "Set a passcode")).to_be_visible(timeout=FIVE_SECONDS)
    expect(page.locator(".lock-art [data-icon='lock']")).to_have_count(1)
    expect(page.get_by_text(re.compile("protects your places"))).to_be_visible()
    expect(field(page, "New passcode")).to_be_editable()
    expect(field(page, "New passcode")).to_have_attribute("inputmode", "numeric")
    button(page, "Not now").click()
    expect(heading(page, "Items")).to_be_visible()
    expect(offer).to_have_count(0)
    page.reload()
    expect(offer).to_have_count(0)


@pytest.mark.spec("T-5-1-2")
@pytest.mark.smoke
def test_only_two_equal_passcodes_are_stored_and_only_hashed(engine, server, person, sign_in):
    someone = person()
    page = sign_in(someone)
    page.goto("/account/lock/passcode")
    for first, second, sentence in [
        (RIGHT, "271829", "not the same"), ("12345", "12345", "6 digits"), ("12a456", "12a456", "6 digits"),
    ]:
        fill_new(page, first, second)
        expect(page.get_by_text(re.compile(sentence)).first).to_be_visible()
        # Asked again from the start: nothing of it is left.
        expect(field(page, "New passcode")).to_have_value("")
        expect(field(page, "Repeat the passcode")).to_have_value("")
        assert someone.call("GET", "/lock", expect=200)["passcodeSet"] is False
    fill_new(page, RIGHT, RIGHT)
    expect(page.get_by_text(words("Passcode set"))).to_be_visible()
    assert someone.call("GET", "/lock", expect=200)["passcodeSet"] is True
    if engine == "sqlite":
        assert server.tables_naming(RIGHT) == []
        assert "app_lock" in server.tables_naming("$scrypt$")


@pytest.mark.spec("T-5-2-1")
@pytest.mark.smoke
def test_the_settings_list_what_can_be_set(person, sign_in):
    page = sign_in(person())
    page.goto("/account")
    expect(heading(page, "Settings")).to_be_visible(timeout=FIVE_SECONDS)
    for name in ["Maps", "Light or dark", "Theme", "Language", "Notifications", "Distances", "Safe places", "App lock", "Devices",
                 "Passkeys", "Download everything", "Delete"]:
        expect(page.get_by_role("main").get_by_role("link", name=re.compile(f"^{name}", re.I)).first).to_be_visible()
    page.get_by_role("main").get_by_role("link", name=re.compile("^App lock")).click()
    expect(page.get_by_role("link", name=words("Set a passcode"))).to_be_visible()


@pytest.mark.spec("T-5-2-2")
@pytest.mark.smoke
def test_resetting_asks_for_the_current_one(person, sign_in):
    someone = person()
    page = sign_in(someone)
    set_passcode(someone)
    # This browser signed in before the passcode was set: it is not fresh.
    page.goto("/account/lock/passcode")
    expect(heading(page, "Change passcode")).to_be_visible()
    expect(field(page, "Current passcode")).to_be_editable()
    field(page, "Current passcode").fill(WRONG)
    fill_new(page, "314159", "314159")
    expect(page.get_by_text(re.compile("That is not the passcode")).first).to_be_visible()
    someone.call("POST", "/lock/unlocking", {"passcode": RIGHT}, expect=204)
    field(page, "Current passcode").fill(RIGHT)
    fill_new(page, "314159", "314160")
    expect(page.get_by_text(re.compile("not the same")).first).to_be_visible()
    field(page, "Current passcode").fill(RIGHT)
    fill_new(page, "314159", "314159")
    expect(page.get_by_text(words("Passcode changed"))).to_be_visible()
    lock_now(page)
    unlock(page)
    expect(page.get_by_text(re.compile("That is not the passcode")).first).to_be_visible()
    unlock(page, "314159")
    expect(heading(page, "App lock")).to_be_visible()


@pytest.mark.spec("T-5-3-1")
@pytest.mark.smoke
def test_turned_off_it_is_not_asked_for_any_more(person, sign_in):
    someone = person()
    page = sign_in(someone)
    set_passcode(someone)
    page.goto("/account/lock")
    page.get_by_role("link", name=words("Turn passcode off")).click()
    field(page, "Current passcode").fill(WRONG)
    button(page, "Turn passcode off").click()
    expect(page.get_by_text(re.compile("That is not the passcode")).first).to_be_visible()
    field(page, "Current passcode").fill(RIGHT)
    button(page, "Turn passcode off").click()
    expect(page.get_by_text(words("Passcode turned off"))).to_be_visible()
    assert someone.call("GET", "/lock", expect=200)["passcodeSet"] is False
    # Neither a new tab nor a new launch asks.
    tab = page.context.new_page()
    tab.goto("/tracking/items")
    expect(heading(tab, "Items")).to_be_visible()
    page.context.clear_cookies(name="homeward-open")
    page.goto("/tracking/items")
    expect(heading(page, "Items")).to_be_visible()


@pytest.mark.spec("T-5-5-2")
@pytest.mark.smoke
def test_a_locked_browser_is_served_nothing_but_the_lock(server, person, sign_in):
    someone = person()
    item = someone.add_item("Keys")
    page = sign_in(someone)
    set_passcode(someone)
    lock_now(page)
    for path in ["/", "/tracking/items", f"/tracking/items/{item['id']}", "/account", "/family", "/carrepsa/packages"]:
        page.goto(path)
        expect(heading(page, "Locked")).to_be_visible()
        assert "Keys" not in page.content() and someone.email not in page.content()
    for path in ["/tracking/items", "/account", "/events", "/pictures", "/account/export"]:
        answer = page.request.get(path, headers={"Accept": "application/json"})
        assert answer.status == 423 and answer.json()["error"]["code"] == "locked", path
    # The script's own session is another one.
    assert someone.call("GET", "/tracking/items", expect=200)["items"]


@pytest.mark.spec("T-5-5-2")
def test_after_five_wrong_ones_a_countdown_survives_reloads_tabs_and_restarts(own_server, phone):
    from support.server import Person

    server = own_server()
    someone = Person(server)
    page = phone(server)
    sign_in_on(page, someone)
    set_passcode(someone)
    lock_now(page)
    for _ in range(4):
        unlock(page, WRONG)
        expect(page.get_by_text(re.compile("That is not the passcode")).first).to_be_visible()
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
    assert countdown(page) < first
    tab = page.context.new_page()
    tab.goto("/tracking/items")
    assert countdown(tab) <= first
    server.restart()
    page.reload()
    expect(field(page)).to_be_disabled()
    left = countdown(page)
    assert 0 < left < first
    # Not even the right one is looked at, from any session.
    status, headers, answer = server.request("POST", "/lock/unlocking", {"passcode": RIGHT}, someone.token)
    assert status == 429 and answer["error"]["code"] == "throttled"
    assert left - 10 <= int(headers["Retry-After"]) <= left


@pytest.mark.spec("T-5-5-2")
def test_the_field_comes_back_when_the_countdown_is_over(person, sign_in):
    someone = person()
    page = sign_in(someone)
    set_passcode(someone)
    page.clock.install()
    lock_now(page)
    for _ in range(5):
        unlock(page, WRONG)
        expect(field(page)).to_have_value("")
    expect(field(page)).to_be_disabled()
    page.clock.fast_forward("10:01")
    expect(page.get_by_text("You can try again now.")).to_be_visible()
    expect(field(page)).to_be_enabled()
    expect(field(page)).to_be_focused()
    expect(button(page, "Unlock")).to_be_enabled()


@pytest.mark.spec("T-5-5-3")
@pytest.mark.smoke
def test_unlocking_shows_an_animation_and_then_the_items(person, sign_in):
    someone = person()
    someone.add_item("Keys")
    page = sign_in(someone, reduced_motion="no-preference")
    set_passcode(someone)
    lock_now(page)
    page.goto("/lock", wait_until="networkidle")
    page.evaluate(NOTE_OPENING)
    unlock(page)
    # The list is being read: until it is there, the animation is what one sees.
    expect(heading(page, "Items")).to_be_visible()
    expect(page.get_by_text("Keys", exact=True).first).to_be_visible()
    is_visible, said, animation = page.evaluate("() => JSON.parse(sessionStorage.getItem('seen'))")
    assert is_visible and "Opening" in said and animation == "lock-turns"


@pytest.mark.spec("T-5-5-3")
def test_who_wants_no_motion_gets_none(person, sign_in):
    someone = person()
    page = sign_in(someone, reduced_motion="reduce")
    set_passcode(someone)
    lock_now(page)
    page.evaluate("() => { document.querySelector('[data-opening]').hidden = false; }")
    assert page.evaluate(ANIMATION) == "none"


def test_unlocking_leads_back_to_where_one_was(person, sign_in):
    someone = person()
    item = someone.add_item("Keys")
    page = sign_in(someone)
    set_passcode(someone)
    lock_now(page)
    page.goto(f"/tracking/items/{item['id']}")
    expect(heading(page, "Locked")).to_be_visible()
    unlock(page)
    page.wait_for_url(f"**/tracking/items/{item['id']}")
    expect(heading(page, "Keys")).to_be_visible()


def test_locking_elsewhere_takes_the_page_from_the_screen(person, sign_in):
    someone = person()
    page = sign_in(someone)
    set_passcode(someone)
    open_list(page)
    until(page, "() => document.documentElement.dataset.live === 'open'")
    # A window that our own page opens is no launch.
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
    # It leaves for the lock before it has been loaded.
    tab.goto("/tracking/items", wait_until="commit")
    expect(heading(tab, "Locked")).to_be_visible()
    # It is the session that is locked: the first tab is, too.
    expect(heading(page, "Locked")).to_be_visible()
    unlock(tab)
    expect(heading(tab, "Items")).to_be_visible()
    # The other one follows, and locks nothing by it.
    page.reload()
    expect(heading(page, "Items")).to_be_visible()
    tab.reload()
    expect(heading(tab, "Items")).to_be_visible()
    # An open page would learn of the lock, and go there itself meanwhile.
    tab.goto("about:blank")
    tab.context.clear_cookies(name="homeward-open")
    tab.goto("/tracking/items")
    expect(heading(tab, "Locked")).to_be_visible()


@pytest.mark.spec("T-5-5-2")
@pytest.mark.parametrize("place", ["/account", "/tracking/items"])
def test_a_launch_without_a_connection_is_locked_whatever_it_asks_for(person, sign_in, place):
    """A page that is never kept, and one that was kept before there was a passcode."""
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
    # The connection comes back: the page that stood in for another was no way in.
    page.goto("about:blank")
    page.context.set_offline(False)
    expect(field(tab)).to_be_visible(timeout=20_000)
    assert tab.request.get("/tracking/items", headers={"Accept": "application/json"}).status == 423
    unlock(tab)
    tab.wait_for_url(f"**{place}")


def test_minutes_in_the_background_lock_and_cover_the_page(person, sign_in):
    someone = person()
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
    # The clock of the page goes on, the server is asked and knows better: nobody was away for a minute.
    page.evaluate("() => { const real = Date.now; window.later = 0; Date.now = () => real() + window.later; }")
    page.evaluate(hide, True)
    page.evaluate("() => { window.later = 61_000; }")
    page.evaluate(hide, False)
    until(page, "() => !('covered' in document.documentElement.dataset)")
    expect(heading(page, "Items")).to_be_visible()
    # Now it was.
    page.context.request.delete("/lock/unlocking", headers={"Accept": "application/json"})
    expect(heading(page, "Locked")).to_be_visible()


def test_a_forgotten_passcode_is_reset_by_signing_in_anew(person, sign_in):
    someone = person()
    page = sign_in(someone)
    set_passcode(someone)
    lock_now(page)
    page.goto("/tracking/items")
    page.get_by_role("link", name=re.compile("Forgot your passcode")).click()
    sign_in_form(page, someone)
    # Where another one is set; then on to where one wanted to go.
    expect(heading(page, "Change passcode")).to_be_visible()
    expect(field(page, "Current passcode")).to_have_count(0)
    fill_new(page, "314159", "314159")
    expect(page.get_by_text(words("Passcode changed"))).to_be_visible()
    expect(heading(page, "Items")).to_be_visible()
    page.goto("/account/lock/passcode")
    expect(field(page, "Current passcode")).to_be_visible()


def test_all_of_it_works_without_scripts(person, sign_in, phone):
    someone = person()
    page = phone(someone.server, java_script_enabled=False)
    sign_in_on(page, someone)
    page.goto("/account/lock/passcode")
    fill_new(page, RIGHT, RIGHT)
    lock_now(page)
    page.goto("/tracking/items")
    unlock(page, WRONG)
    expect(page.get_by_text(re.compile("That is not the passcode")).first).to_be_visible()
    unlock(page)
    expect(heading(page, "Items")).to_be_visible()
    page.goto("/account/lock/off")
    field(page, "Current passcode").fill(RIGHT)
    button(page, "Turn passcode off").click()
    expect(heading(page, "App lock")).to_be_visible()


def sign_in_form(page, someone):
    page.get_by_label(re.compile("email", re.I)).fill(someone.email)
    page.get_by_label(re.compile("^password", re.I)).fill(someone.password)
    button(page, "Sign in").click()
    page.wait_for_url(lambda url: "/sign-in" not in url)


def sign_in_on(page, someone):
    page.goto("/sign-in")
    sign_in_form(page, someone)
