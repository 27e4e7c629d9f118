"""Live links: a position for a person without an account, its end, and the number of open pages."""

import re
import time

import pytest
from playwright.sync_api import expect

from support.items import HOME, north, tracked
from support.layout_checks import SMALL, flaws
from support.pages import words

assert tracked
# The shortest pause between two positions that a recipient's page sends (live-link.js).
PAUSE_MILLISECONDS = 10_000


def create(page, start, duration="1 hour", shows_name=False):
    """Creates a link in the form and returns its public path."""
    page.goto(start)
    page.get_by_role("radio", name=re.compile(f"^{duration}", re.I)).check()
    if shows_name:
        page.get_by_label(re.compile("^Show my first name")).check()
    page.get_by_role("button", name=words("Create")).click()
    address = page.locator("#live-link-address")
    expect(address).to_be_visible()
    path = re.search(r"/live/[\w-]{22}$", address.inner_text())
    assert path
    return path[0]


def of_item(item):
    return f"/tracking/live-links/new?item={item['id']}"


def degrees(place):
    return f"{place[0]:.5f}, {place[1]:.5f}"


def recipient_at(phone, server, place, accuracy=10):
    return phone(server, permissions=["geolocation"], geolocation={
        "latitude": place[0], "longitude": place[1], "accuracy": accuracy})


@pytest.mark.spec("T-6-2-1", "T-6-2-3")
def test_a_link_shows_an_item_live_until_it_is_revoked(tracked, sign_in, phone):
    ada, bag, secret = tracked("Grandmother's bag", metres=100)
    page = sign_in(ada)
    path = create(page, of_item(bag))
    expect(page.locator("#link-state")).to_have_text("0 people have it open")

    ben = recipient_at(phone, ada.server, HOME)
    assert ben.goto(path).ok
    expect(ben.locator("#live-place")).to_contain_text("No position since the link was made")
    expect(ben.locator("#live-shared")).to_contain_text(
        "You can see where an item is for as long as the link is open."
    )
    expect(ben.locator("#live-shared time")).to_be_visible()
    ways = ben.get_by_role("link", name=re.compile("^Navigate with"))
    expect(ways).to_have_count(0)
    expect(page.locator("#link-state")).to_have_text("1 person has it open")
    for secret_text in ("Grandmother", "Ada", ada.email):
        assert secret_text not in ben.content()

    # In the next second: a position from before the link is never shown.
    ada.report(secret, *north(300), at=time.time() + 1, accuracy=12)
    expect(ben.locator("#live-place")).to_have_text(degrees(north(300)))
    expect(ben.locator("#live-accuracy")).to_have_text("±12\u00a0m")
    expect(ways).to_have_count(2)
    for way in ways.all():
        latitude = re.search(r"(?:daddr|destination)=([\d.]+),", way.get_attribute("href"))[1]
        assert float(latitude) == pytest.approx(north(300)[0], abs=1e-6)
    expect(ben.locator("#live-map .map-accuracy")).to_have_count(1)
    ben.get_by_role("button", name=words("Show my distance")).click()
    expect(ben.locator("#live-distance")).to_have_text("300\u00a0m from you")
    # The tests of all views open it without a position.
    ben.set_viewport_size(SMALL)
    assert not flaws(ben)

    dora = phone(ada.server)
    dora.goto(path)
    expect(page.locator("#link-state")).to_have_text("2 people have it open")
    dora.goto("about:blank")
    expect(page.locator("#link-state")).to_have_text("1 person has it open")

    page.get_by_role("button", name=words("Revoke")).click()
    page.get_by_role("alertdialog").get_by_role("button", name=words("Revoke")).click()
    expect(ben.get_by_role("heading", name=words("This link isn’t open"))).to_be_visible()
    expect(page.get_by_text(words("Revoked"))).to_be_visible()


def test_the_distance_is_offered_once_the_page_can_measure_it(tracked, sign_in, phone):
    ada, bag, _ = tracked("Bag", metres=100)
    path = create(sign_in(ada), of_item(bag))
    ben, held = recipient_at(phone, ada.server, HOME), []
    ben.route("**/leaflet.js", lambda route: held.append(route))
    with ben.expect_request("**/leaflet.js"):
        ben.goto(path, wait_until="commit")
    offer = ben.get_by_role("button", name=words("Show my distance"))
    expect(offer).to_be_hidden()
    held[0].continue_()
    expect(offer).to_be_visible()


@pytest.mark.spec("T-6-2-4")
def test_a_link_until_we_meet_ends_when_the_recipient_is_near(person, sign_in, phone):
    ada = person("Ada Lovelace")
    page = sign_in(ada, permissions=["geolocation"], geolocation={
        "latitude": HOME[0], "longitude": HOME[1], "accuracy": 10})
    path = create(page, "/tracking/live-links/new", "Until we meet", shows_name=True)
    # The browser's position has the time at which it was set: before the link, it isn't shown.
    here = north(20)
    page.wait_for_timeout(1_500)  # the page sends at most one position a second
    with page.expect_response("**/tracking/position"):
        page.context.set_geolocation({"latitude": here[0], "longitude": here[1], "accuracy": 9})
    far, near = north(2_000), north(30)
    ben = recipient_at(phone, ada.server, far)
    ben.clock.install()
    ben.goto(path)
    expect(ben.get_by_role("heading", name=words("Ada shares a position"))).to_be_visible()
    assert "Lovelace" not in ben.content()
    expect(ben.locator("#live-place")).to_have_text(degrees(here))
    ben.get_by_role("button", name=words("Show my distance")).click()
    expect(ben.locator("#live-distance")).to_have_text("2\u00a0km from you")

    ben.context.set_geolocation({"latitude": near[0], "longitude": near[1], "accuracy": 10})
    ben.clock.fast_forward(PAUSE_MILLISECONDS)
    expect(ben.get_by_text(words("You have met"))).to_be_visible(timeout=20_000)
    expect(ben.locator("#live-map")).to_be_hidden()
    expect(page.get_by_text(words("Ended: you met"))).to_be_visible()
    feed = ada.call("GET", "/notifications", expect=200)["items"]
    assert [entry["kind"] for entry in feed] == ["liveLinkMet"]
    # Ben's position is nowhere: Ada's own is the only one.
    status, _, _ = ada.server.request("GET", path)
    assert status == 404
