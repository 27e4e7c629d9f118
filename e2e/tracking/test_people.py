"""People's own positions: sharing, looking, children, the map, and rules about people."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import expect

from support.children import home, sign_in_by_link
from support.family_phones import dismiss
from support.households import same_household
from support.items import HOME, north
from support.layout_checks import flaws
from support.pages import toast, until, words
from support.patience import wait_until

assert home


def events(someone):
    return [entry["title"] for entry in someone.call("GET", "/notifications", expect=200)["items"]]


def sign(page):
    return page.locator("#sharing-sign")


def live(page, path):
    page.goto(path)
    until(page, "() => document.documentElement.dataset.live === 'open'")
    return page


def is_report(response):
    return response.request.method == "PUT" and response.url.endswith("/my-position")


def adults(person):
    ada, ben = person("Ada Lovelace", dateOfBirth="1990-01-01"), person("Ben", dateOfBirth="1990-01-01")
    same_household(ada, ben)
    return ada, ben


def share(sharer, viewer, duration="1h"):
    sharer.call("POST", "/my-position/shares", {"personIds": [viewer.id], "duration": duration}, expect=201)


@pytest.mark.spec("T-6-3-4")
def test_a_person_shares_their_position_until_they_stop(person, sign_in):
    ada, ben = adults(person)
    cleo = person("Cleo", dateOfBirth="1990-01-01")
    same_household(ada, cleo)
    items, viewer = live(sign_in(ada), "/tracking/items"), live(sign_in(ben), "/tracking/people")
    expect(viewer.locator("#people")).to_contain_text("You see no positions of people yet.")
    expect(sign(items)).to_be_hidden()
    page = sign_in(ada)
    live(page, "/my-position")
    page.get_by_role("button", name=words("Share")).click()
    expect(page.get_by_text("Choose at least one person of your family.")).to_be_visible()
    page.get_by_role("switch", name="Ben").check()
    page.get_by_role("button", name=words("Share")).click()
    expect(toast(page, "You share your position")).to_be_visible()
    expect(page.locator("#sharing-state")).to_have_text("On: you share your position with Ben.")
    # The sign is on every page, also on those that are open.
    expect(sign(page)).to_be_visible()
    expect(sign(items)).to_be_visible()
    assert not flaws(page)

    ada.is_at(*HOME)
    row = viewer.locator("#people a", has_text="Ada")
    expect(row).to_contain_text("now")
    expect(row).not_to_contain_text("Lovelace")
    expect(page.locator("#views")).to_contain_text("Ben")
    # Only the chosen person sees it.
    assert cleo.call("GET", "/tracking/people", expect=200)["items"] == []
    cleo.call("GET", f"/tracking/people/{ada.id}", expect=404)
    row.click()
    expect(viewer.get_by_role("heading", level=1)).to_have_text("Ada")

    page.get_by_role("button", name=words("Stop sharing")).click()
    # The open page leaves, and nothing can be read.
    expect(viewer).to_have_url(re.compile("/tracking/people$"))
    expect(viewer.locator("#people a", has_text="Ada")).to_have_count(0)
    ben.call("GET", f"/tracking/people/{ada.id}", expect=404)
    expect(sign(items)).to_be_hidden()
    expect(sign(page)).to_be_hidden()
    assert events(ben)[0] == "Ada Lovelace no longer shares their position with you"


@pytest.mark.spec("T-6-3-6")
def test_a_child_answers_a_request_and_sees_the_sign_everywhere(home, phone, sign_in):
    paula = home.parent
    parent = live(sign_in(paula), "/tracking/people")
    child = sign_in_by_link(
        phone(paula.server, permissions=["geolocation"], geolocation={
            "latitude": HOME[0], "longitude": HOME[1], "accuracy": 10}),
        paula.code(home.mia), "Mia")
    dismiss(child)
    live(child, "/family")
    expect(sign(child)).to_be_hidden()
    other = live(child.context.new_page(), "/family/today")
    expect(other.locator("[data-while-sharing]")).to_be_hidden()
    parent.get_by_role("button", name="Ask Mia to share").click()
    expect(toast(parent, "Asked")).to_be_visible()
    # Asking turns nothing on.
    expect(parent.locator("#people a", has_text="Mia")).to_have_count(0)
    expect(sign(child)).to_be_hidden()
    live(child, "/family/account")
    child.get_by_role("link", name=re.compile("Where I am")).click()
    expect(child.locator("#asks")).to_contain_text("Paula asks where you are")
    # No duration without an end.
    durations = child.locator("#share-form").get_by_role("radio")
    assert [one.get_attribute("value") for one in durations.all()] == ["1h", "day"]
    assert not flaws(child)
    child.get_by_role("button", name=words("Yes, until the end of the day")).click()
    expect(toast(child, "Others can see where you are")).to_be_visible()
    expect(child.locator("#sharing-state")).to_have_text("On: Paula can see where you are.")
    # A page that was open before begins to send.
    expect(sign(other)).to_be_visible()
    other.wait_for_timeout(1_500)
    with other.expect_response(is_report):
        child.context.set_geolocation({"latitude": north(5)[0], "longitude": HOME[1], "accuracy": 12})
    other.close()
    row = parent.locator("#people a", has_text="Mia")
    expect(row).to_contain_text("±12")
    expect(child.locator("#views")).to_contain_text("Paula")
    for path in ("/family", "/family/today", "/family/shop", "/family/account", "/notifications"):
        child.goto(path)
        expect(sign(child)).to_be_visible()
        expect(sign(child)).to_have_text("You show where you are")
    assert not flaws(child)
    # The position is sent from each of these pages.
    child.wait_for_timeout(1_500)  # a page sends at most one position a second
    with child.expect_response(is_report):
        child.context.set_geolocation({"latitude": north(900)[0], "longitude": HOME[1], "accuracy": 33})
    expect(row).to_contain_text("±33")
    sign(child).click()
    child.get_by_role("button", name=words("Turn off")).click()
    expect(toast(child, "No one sees where you are now")).to_be_visible()
    expect(row).to_have_count(0)
    child.goto("/family")
    expect(sign(child)).to_be_hidden()
    # A parent can't turn it on.
    paula.call("POST", "/my-position/shares", {"personIds": [home.mia["id"]], "duration": "1h"}, expect=422)


@pytest.mark.spec("T-6-3-4")
def test_a_page_from_the_cache_and_one_of_another_node_correct_their_sign(person, sign_in):
    ada, ben = adults(person)
    page = sign_in(ada)

    def age(route):
        # The test may end while the page loads its list again.
        if route.request.resource_type != "document":
            return route.continue_()
        response = route.fetch()
        body = response.text().replace("<html ", '<html data-launched-at="2026-01-01T00:00:00Z" ')
        route.fulfill(response=response, body=re.sub("(data-sharing-sign)", r"\1 hidden", body))

    share(ada, ben)
    page.route("**/tracking/items", age)
    live(page, "/tracking/items")
    expect(sign(page)).to_be_visible()


@pytest.mark.spec("T-6-6-5")
def test_the_map_shows_people_and_follows_them(person, sign_in):
    ada, ben = adults(person)
    page = live(sign_in(ben), "/tracking/map")
    share(ada, ben)
    ada.is_at(*HOME, accuracy=25)
    marker = page.locator(f"[data-map-item='{ada.id}']")
    expect(marker).to_be_visible()
    expect(marker).to_contain_text("Ada · ")
    expect(page.locator("path.map-accuracy")).to_have_count(1)
    row = page.locator("#people a", has_text="Ada")
    expect(row).to_contain_text("±25")
    before = marker.get_attribute("data-marker-at")
    ada.is_at(*north(300), accuracy=40)
    expect(row).to_contain_text("±40")
    until(page, "([id, at]) => document.querySelector(`[data-map-item='${id}']`).dataset.markerAt !== at",
          [ada.id, before])
    assert not flaws(page)
    # The keyboard opens the person.
    marker.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Ada")
    live(page, "/tracking/map")
    expect(marker).to_be_visible()
    held = []

    def hold(route):
        # The response of the first load, from before the end, arrives last.
        is_json = "json" in route.request.headers.get("accept", "")
        if not is_json or held:
            return route.continue_()
        held.append((route, route.fetch()))

    page.route("**/tracking/people", hold)
    with page.expect_request(lambda one: one.url.endswith("/tracking/people") and "json" in one.headers["accept"]):
        ada.is_at(*north(600), accuracy=50)
    wait_until(lambda: held, pause=lambda: page.wait_for_timeout(50))
    ada.call("DELETE", "/my-position/shares", {}, expect=204)
    expect(row).to_have_count(0)
    expect(marker).to_have_count(0)
    expect(page.locator("path.map-accuracy")).to_have_count(0)
    route, response = held[0]
    route.fulfill(response=response)
    page.wait_for_timeout(1_000)
    expect(marker).to_have_count(0)
    # What the browser keeps for offline use contains no people.
    assert "Ada" not in page.request.get("/tracking/map", headers={"Accept": "text/html"}).text()


@pytest.mark.spec("T-6-3-5")
def test_a_rule_about_a_person_is_told_to_them_and_they_end_it(person, sign_in):
    ada, ben = adults(person)
    ben.call("POST", "/tracking/safe-places", {
        "name": "School", "latitude": HOME[0], "longitude": HOME[1], "radiusMetres": 150}, expect=201)
    share(ada, ben, "off")
    page = live(sign_in(ada), "/my-position")
    viewer = live(sign_in(ben), f"/tracking/people/{ada.id}")
    viewer.get_by_role("link", name=words("Add a rule")).click()
    expect(viewer.get_by_role("main")).to_contain_text("Ada is notified of this rule, sees it, and can end it.")
    viewer.get_by_label("Wait").fill("999")
    viewer.get_by_role("button", name=words("Save")).click()
    expect(viewer.get_by_text("Enter a whole number from 0 to 240.")).to_be_visible()
    viewer.get_by_label("Wait").fill("0")
    viewer.get_by_role("button", name=words("Save")).click()
    expect(toast(viewer, "Saved")).to_be_visible()
    expect(viewer.get_by_role("main")).to_contain_text("Arrives at School")
    rules = page.locator("#rules-about-me")
    expect(rules).to_contain_text("When you arrive at School")
    assert events(ada)[0] == "Ben has a rule about you"
    assert not flaws(page)
    # A phone's clock may be ahead, so the test needn't wait between two positions.
    for number, metres in enumerate((500, 500, 20, 20, 20, 25), start=1):
        at = datetime.now(UTC) + timedelta(seconds=20 * number)
        ada.call("PUT", "/tracking/position", {
            "latitude": north(metres)[0], "longitude": HOME[1], "accuracy": 5, "at": at.isoformat()}, expect=204)
    assert events(ben).count("Ada arrived at School") == 1
    page.get_by_role("button", name="End the rule of Ben").click()
    expect(toast(page, "Rule ended")).to_be_visible()
    expect(viewer.get_by_role("main")).not_to_contain_text("Arrives at School")
    assert events(ben)[0] == "Ada Lovelace ended your rule about School"
