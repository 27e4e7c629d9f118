"""Every view on a small phone: no sideways scrolling, no clipping in large text, large targets."""

import time

import pytest
from playwright.sync_api import expect

from support.carrepsa import act, trip_and_offer
from support.carrepsa import post as offer
from support.items import HOME, lost_items, north, upload
from support.layout_checks import (
    CLIPPED,
    COLOURS,
    DOUBLED,
    OVER_TITLE,
    OVERLAPPING,
    SMALL,
    TOO_SMALL,
    TORN,
    at_each_scale,
    check,
    in_turn,
    violations,
)
from support.views import ALL, GUARDED, LOCKED, OWNER, POSTED, SIGNED_OUT, addresses, page_templates, post


@pytest.fixture(scope="session")
def person_with_content(servers):
    """A person with content for every view."""
    from support.server import Person

    server = servers("sqlite")
    someone = Person(server, "Maximiliane von Hohenzollern-Sigmaringen", phone="+49 151 23456789")
    item = someone.add_item("Grandmother's enormous leather travelling bag", pictureId=upload(someone))
    secret = someone.add_osmand_tracker(item)
    someone.is_at(*HOME)
    for number in range(12):
        someone.report(secret, *north(number * 40), at=time.time() - 7200 + number * 600, batt=20 - number)
    someone.report(secret, 91, 6)
    for name, metres in (("Home", 0), ("The office of the whole department of long names", 900)):
        latitude, longitude = north(metres)
        place = someone.call("POST", "/tracking/safe-places", {
            "name": name, "latitude": latitude, "longitude": longitude, "radiusMetres": 150}, expect=201)
    rule = someone.call("POST", f"/tracking/items/{item['id']}/geofences", {
        "placeId": place["id"], "kind": "absent", "by": "08:00", "days": ["MO", "TU", "WE", "TH", "FR"]}, expect=201)
    source = someone.call("POST", "/tracking/sources", {"kind": "owntracks"}, expect=201)
    # Away from its owner, who gets an alert.
    someone.is_at(*north(3_000))
    alert = someone.call("GET", "/notifications", expect=200)["items"][0]
    reset = server.command("account", "reset-link", someone.email).stdout.strip().splitlines()[-1].split(server.url)[-1]
    empty = someone.add_item("Keys")
    return someone, {"item": item["id"], "empty": empty["id"], "place": place["id"], **lost_items(someone, item, empty),
                     "rule": rule["id"], "alert": alert["id"], "source": source["id"], "reset": reset,
                     **parcels_of(someone)}


@pytest.fixture(scope="session")
def person_with_passcode(servers):
    """A person with a passcode."""
    from support.server import Person

    someone = Person(servers("sqlite"), "Grace")
    someone.call("PUT", "/lock/passcode", {"passcode": "271828", "repeat": "271828"}, expect=204)
    return someone


@pytest.fixture
def each_view(person_with_content, person_with_passcode, sign_in, phone):
    """Opens every view except Family's (test_family_layout) and those of sign-in providers (test_providers), and
    yields each with its page."""
    someone, ids = person_with_content

    def walk(**options):
        def locked():
            page = sign_in(person_with_passcode, **options)
            answer = page.context.request.delete("/lock/unlocking", headers={"Accept": "application/json"})
            assert answer.status == 204
            return page

        owner = sign_in(someone, **options)
        # Each person signs in just before their views, because a browser with a passcode is locked after a minute.
        groups = [(lambda: owner, OWNER), (lambda: phone(someone.server, **options), SIGNED_OUT),
                  (lambda: sign_in(person_with_passcode, **options), GUARDED), (locked, LOCKED)]
        for come_in, views in groups:
            page = come_in()
            for view in addresses(views):
                check(page, view.format(**ids))
                yield view, page
        for template, (start, action, fields) in POSTED.items():
            post(owner, start.format(**ids), action.format(**ids), fields)
            yield template, owner

    return walk


def parcels_of(someone):
    """Creates packages in each state, sent and carried, one of them in dispute, and grants the operator role."""
    from support.server import Person

    karl = Person(someone.server, "Bartholomäus Freiherr von Münchhausen", phone="+49 151 98765432")
    for one in (someone, karl):
        one.call("GET", "/carrepsa/wallet", expect=200)
        assert someone.server.command("wallet", "top-up", one.email, "1234567.89").returncode == 0
    assert someone.server.command("account", "operator", someone.email).returncode == 0
    long = {"from": "Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch",
            "to": "Donaudampfschifffahrtsgasse 17, Wien",
            "reward": 123_456, "moneyLock": 9_876_543, "weight": 999_999}
    offered = offer(someone, "Grandmother's enormous leather travelling bag",
                   description="Handle with care. " * 20, **long)
    travelling, carried = offer(someone, "Rocking horse", **long), offer(karl, "Cello", **long)
    done = offer(someone, "Lamp")
    others = offer(karl, "Wardrobe", fromLatitude=50.78, fromLongitude=6.08, toLatitude=50.74, toLongitude=7.1, **long)
    act(karl, travelling, "acceptance")
    act(someone, travelling, "pickup")
    act(karl, travelling, "delivery-report")
    act(karl, travelling, "cancellation-request")
    note = karl.call("POST", f"/carrepsa/packages/{travelling['id']}/messages", {
        "text": "I am in front of the house, but the door stays closed. " * 5,
        "latitude": 48.2082, "longitude": 16.3738}, expect=201)
    recipient = someone.call("PUT", f"/carrepsa/packages/{travelling['id']}/recipient", {
        "name": "Bartholomäus Freiherr von Münchhausen", "contact": "+49 151 98765432",
        "address": long["from"]}, expect=200)
    act(someone, travelling, "dispute", body={"reason": "It never arrived, whatever anybody says."})
    act(someone, carried, "acceptance")
    act(karl, done, "acceptance")
    act(someone, done, "pickup")
    act(someone, done, "delivery")
    return {"offered": offered["id"], "travelling": travelling["id"], "carried": carried["id"], "others": others["id"],
            "done": done["id"], "message": note["id"], "neighbour": karl.id,
            "delivery": recipient["url"].removeprefix(someone.server.url), **trip_and_offer(someone, offered)}


def test_every_template_is_covered():
    looked_at = {template for table in ALL for template in table}
    assert looked_at == page_templates(), "support/views.py says where each is looked at"


def test_every_view_fits_a_small_phone_is_accessible_and_has_large_targets(each_view):
    problems = {}
    for view, page in each_view(viewport=SMALL):
        if found := at_each_scale(page, CLIPPED, OVER_TITLE) + violations(page) + page.evaluate(TOO_SMALL):
            problems[view] = found
    assert not problems


@pytest.mark.parametrize("chosen, device", [("dark", "light"), ("light", "dark")])
def test_chosen_colour_scheme_overrides_the_device(person_with_content, person, sign_in, chosen, device):
    """Expects the same colours and contrast as with that setting on the device."""
    colours = """() => [document.body, ...document.querySelectorAll("main .row, main .group-note, .bar, .tabs")]
        .map((element) => { const style = getComputedStyle(element); return [style.color, style.backgroundColor]; })"""
    other, ada = person("Bea"), person("Ada")
    page = sign_in(other, color_scheme=chosen)
    page.goto("/account")
    wanted = page.evaluate(colours)
    page = sign_in(ada, color_scheme=device)
    page.goto("/account")
    assert page.evaluate(colours) != wanted
    page.get_by_role("link", name="Light or dark").click()
    page.get_by_role("button", name=chosen.title()).click()
    expect(page.get_by_role("link", name="Light or dark")).to_contain_text(chosen.title())
    assert page.evaluate(colours) == wanted
    for view in ("/account", "/tracking/items/new", "/notifications", "/account/lock"):
        check(page, view)
        assert violations(page, COLOURS) == [], view
    expect(page.locator("meta[name=color-scheme]")).to_have_attribute("content", chosen)


def test_german_pages_are_german(person_with_content, phone, playwright):
    someone, _ = person_with_content
    page = phone(someone.server, locale="de-DE")
    page.goto("/sign-in")
    assert page.evaluate("document.documentElement.lang") == "de"
    assert page.get_by_role("button", name="Anmelden").count()


def test_translated_texts_fit_a_small_phone(server, person, phone):
    someone, other = person("Ada", phone="+49 151 23456789"), person("Ben", phone="+49 151 98765432")
    item = someone.add_item("Bag")
    for one in (someone, other):
        one.call("GET", "/carrepsa/wallet", expect=200)
    offered, travelling, carried = offer(someone, "Lamp"), offer(someone, "Cello"), offer(other, "Chair")
    act(other, travelling, "acceptance")
    act(someone, travelling, "pickup")
    act(someone, carried, "acceptance")
    page = phone(someone.server, locale=None, viewport=SMALL)
    problems = {}

    def look(views):
        for view in in_turn(page, views):
            check(page, view)
            problems[view] = [text for flaw in (TORN, CLIPPED, OVER_TITLE, OVERLAPPING) for text in page.evaluate(flaw)]

    look(["/sign-in", "/register", "/carrepsa", "/forgotten-password", "/offline", "/found?e=nothing"])
    page.goto("/sign-in")
    page.locator("#email").fill(someone.email)
    page.locator("#password").fill(someone.password)
    page.locator("#password").press("Enter")
    page.wait_for_url(lambda url: "/sign-in" not in url)
    look(["/", "/account", "/account/edit", "/account/password", "/account/delete", "/account/import",
          "/account/sessions",
          "/account/choices/maps", "/account/choices/appearance", "/account/choices/theme", "/account/lock",
          "/account/lock/passcode", "/account/passkeys", "/account/notifications", "/account/proofs/export",
          "/account/fields/email", "/notifications", "/tracking/alerts", "/tracking/safe-places",
          "/tracking/safe-places/new", "/tracking/settings", "/pictures", "/tracking/items", "/tracking/items/new",
          "/tracking/sources", "/tracking/sources/new", "/tracking/quarantine", f"/tracking/items/{item['id']}",
          f"/tracking/items/{item['id']}/edit", f"/tracking/items/{item['id']}/tracker",
          f"/tracking/items/{item['id']}/fixes", f"/tracking/items/{item['id']}/delete",
          # Without the packages and addresses of others, whose long words may break anywhere.
          "/carrepsa/packages?from=nowhere", "/carrepsa/packages?role=owner", "/carrepsa/packages?role=carrier",
          "/carrepsa/packages?role=owner&past=true", "/carrepsa/packages/new", "/carrepsa/profile",
          "/carrepsa/wallet/entries", *(f"/carrepsa/packages/{one['id']}" for one in (offered, travelling, carried)),
          f"/carrepsa/packages/{offered['id']}/questions/withdraw"])
    assert not {view: found for view, found in problems.items() if found}
    assert page.evaluate("getComputedStyle(document.querySelector('h1')).hyphens") == "auto"


def test_bar_labels_do_not_overlap_in_large_translated_text(server, person, sign_in):
    someone = person("Ada")
    item = someone.add_item("Rucksack")
    page = sign_in(someone, locale=None, viewport=SMALL)
    page.add_init_script(DOUBLED)
    for view in in_turn(page, [f"/tracking/items/{item['id']}/edit", "/tracking/items/new",
                               f"/tracking/items/{item['id']}", "/account/edit", "/account/password"]):
        check(page, view)
        assert page.evaluate(OVERLAPPING) == [], view
        edges = page.locator(".bar-link:visible").evaluate_all(
            "links => links.map((link) => [link.getBoundingClientRect().left, link.getBoundingClientRect().right])")
        assert all(left >= 0 and right <= 320 for left, right in edges), (view, edges)
