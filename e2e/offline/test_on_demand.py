"""Scripts that only some pages need, with a connection that is lost while a page loads them."""

import pytest
from playwright.sync_api import expect

from support.pages import words
from support.parents import ada

# The pauses of on-demand.js, in seconds.
PAUSES = [1, 2, 5, 15, 30]
START = 1_767_225_600_000


class FailingScript:
    """Lets the requests of one script fail until `ends()`."""

    def __init__(self, page, script):
        self.page, self.count, self.is_over = page, 0, False
        self.errors = []
        page.on("console", self.note)
        page.route(f"**/{script}", self.answer)

    def note(self, message):
        # The browser reports each failed request. No script can prevent that.
        if message.type == "error" and "Failed to load resource" not in message.text:
            self.errors.append(message.text)

    def answer(self, route):
        if self.is_over:
            route.continue_()
        else:
            self.count += 1
            route.abort()

    def ends(self):
        self.is_over = True
        self.page.evaluate("window.dispatchEvent(new Event('online'))")


def bluetooth(person):
    item = person.add_item("Keys")

    def works(page):
        expect(page.get_by_text("no browser on iPhone and iPad can")).to_be_visible()

    return f"/tracking/items/{item['id']}/tracker?by=bluetooth", works


def levels(parent):
    child = parent.child("Mia")

    def works(page):
        rows = page.locator("[data-level-row]")
        before = rows.count()
        page.get_by_role("button", name=words("Add a level")).click()
        expect(rows).to_have_count(before + 1)

    return f"/family/children/{child['id']}/contracts/new", works


def place_map(person):
    def works(page):
        expect(page.locator("#place-map.leaflet-container")).to_be_visible()
        expect(page.locator("#place-map .leaflet-map-pane")).to_have_count(1)

    return "/tracking/safe-places/new", works


CASES = [("bluetooth.js", bluetooth), ("bluetooth-frames.js", bluetooth), ("levels.js", levels),
         ("leaflet.js", place_map)]


def open_without(sign_in, someone, script, path):
    page = sign_in(someone)
    # Pauses end only when the test ends them.
    page.clock.install(time=START)
    page.clock.pause_at(START + 1_000)
    page.add_init_script("delete Navigator.prototype.bluetooth")
    loss = FailingScript(page, script)
    with page.expect_console_message(lambda message: "isn't loaded" in message.text):
        page.goto(path)
    return page, loss


@pytest.mark.parametrize("script, subject", CASES, ids=[script for script, _ in CASES])
def test_failed_script_loads_once_the_browser_is_online(engine, ada, sign_in, script, subject):
    path, works = subject(ada)
    page, loss = open_without(sign_in, ada, script, path)
    assert loss.count == 1
    loss.ends()
    works(page)
    assert not loss.errors


def test_failed_script_is_retried_with_back_off(engine, ada, sign_in):
    path, works = levels(ada)
    page, loss = open_without(sign_in, ada, "levels.js", path)
    for seconds in PAUSES:
        with page.expect_console_message(lambda message: "isn't loaded" in message.text):
            page.clock.fast_forward(seconds * 1000)
    assert loss.count == 1 + len(PAUSES)
    # From now on it waits until the browser is online.
    page.clock.fast_forward(3_600_000)
    assert loss.count == 1 + len(PAUSES)
    loss.ends()
    works(page)
    assert not loss.errors


def test_taps_before_the_script_are_repeated_for_it(engine, ada, sign_in):
    path, _ = levels(ada)
    page, loss = open_without(sign_in, ada, "levels.js", path)
    suggestions, reward = page.locator("[data-level-suggestion]"), page.locator("[name='levels.0.reward']")
    name = suggestions.first.inner_text()
    suggestions.first.click()
    expect(reward).to_have_value("")
    loss.ends()
    expect(reward).to_have_value(name)
    suggestions.last.click()
    expect(page.locator("[data-level-row]")).to_have_count(2)


KNOWS_POSITION = {"geolocation": {"latitude": 50.7753, "longitude": 6.0839}, "permissions": ["geolocation"]}


def test_position_requested_before_any_script_is_filled_in(engine, person, sign_in):
    page = sign_in(person("Ada"), **KNOWS_POSITION)
    held = []
    page.route("**/js/app.js", lambda route: held.append(route))
    page.goto("/tracking/safe-places/new", wait_until="commit")
    page.get_by_role("button", name="Use this phone’s position").click()
    expect(page.get_by_label("Latitude")).to_have_value("")
    held.pop().continue_()
    expect(page.get_by_label("Latitude")).to_have_value("50.775300")


def test_position_requested_before_its_script_is_filled_in(engine, person, sign_in):
    page, loss = open_without(
        lambda someone: sign_in(someone, **KNOWS_POSITION), person("Ada"), "place-map.js", "/tracking/safe-places/new")
    page.get_by_role("button", name="Use this phone’s position").click()
    expect(page.get_by_label("Latitude")).to_have_value("")
    loss.ends()
    expect(page.get_by_label("Latitude")).to_have_value("50.775300")
