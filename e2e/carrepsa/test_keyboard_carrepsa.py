"""More of Carrepsa with Tab, Enter and Escape only: cancelling, handover codes, disputes and decisions, search,
wallet."""

import re
import time

import pytest
from playwright.sync_api import expect

from support.carrepsa import LOCK, REWARD, START, act, action, amount, package_card, post, state
from support.keys import Keyboard, button, do_by_keys, open_by_keys, row, settled, tab
from support.pages import png_file, words

FULL = (START, 0)


@pytest.fixture
def pair(engine, carrepsa, sign_in):
    """An owner and a carrier, each with a keyboard on their own page."""
    class Pair:
        olga, karl = carrepsa.add_person("Olga"), carrepsa.add_person("Karl")
        hers, his = Keyboard(sign_in(olga)), Keyboard(sign_in(karl))
        package = post(olga, f"Parcel of {olga.id[-6:]}")
        title = package["title"]
        address = f"/carrepsa/packages/{package['id']}"

    for keys in (Pair.hers, Pair.his):
        keys.page.goto("/carrepsa")
        settled(keys.page)
    return Pair


def is_open(page, address):
    page.goto(address)
    settled(page)
    expect(page.locator("[data-live].htmx-request")).to_have_count(0)


def test_new_user_signs_up(engine, server, phone):
    page = phone(server)
    keys = Keyboard(page)
    page.goto("/carrepsa")
    keys.enter(page.get_by_role("link", name=words("Sign up")))
    email = f"by-keys-{time.time_ns()}@example.org"
    number = page.get_by_label(re.compile("phone", re.I))
    keys.type(page.locator("#name"), "Nora").type(page.locator("#email"), email)
    keys.type(page.locator("#password"), "correct horse battery").enter()
    expect(number).to_have_attribute("aria-invalid", "true")
    expect(number).to_be_focused()
    # The server never sends a password back.
    keys.type(number, "+49 151 7654321").type(page.locator("#password"), "correct horse battery").enter()
    expect(page).to_have_url(re.compile("/carrepsa/packages$"))
    settled(page)
    keys.goes(tab(page, "Profile"), "/carrepsa/profile$")
    expect(page.get_by_role("main")).to_contain_text(email)


def test_package_is_described_with_photo_and_day(carrepsa, pair):
    keys = pair.hers
    page = keys.page
    keys.goes(tab(page, "New"), "/carrepsa/packages/new$")
    for label, text in (("title", "Vase"), ("from", "Aachen"), ("to", "Bonn"), ("weight", "2"), ("reward", "5"),
                        ("moneyLock", "9")):
        keys.type(page.locator(f"#{label}"), text)
    more = page.locator("summary", has_text="More details")
    keys.enter(more)
    keys.type(page.get_by_label("Description"), "It is made of glass.")
    keys.type(page.get_by_label("Pick up by"), "05052031")
    photo = page.locator("[data-photo-pick]")
    keys.enter(photo)
    keys.enter(page.get_by_role("dialog").get_by_role("button", name=words("Select from photo library")))
    with page.expect_file_chooser() as chooser:
        keys.enter(page.locator("dialog.sheet[open]").get_by_label("Choose from this phone"))
    chooser.value.set_files(png_file())
    expect(photo).to_be_focused()
    do_by_keys(keys, "Request delivery")
    own = pair.olga.call("GET", "/carrepsa/packages?role=owner", expect=200)["items"]
    package = next(one for one in own if one["title"] == "Vase")
    assert package["description"] == "It is made of glass." and package["pictureId"]
    assert package["deadline"].startswith("2031-05-0")


def test_delivery_is_cancelled_by_each_side_and_the_request_withdrawn(carrepsa, pair):
    for keys, place in ((pair.hers, "My packages"), (pair.his, "My deliveries")):
        act(pair.karl, pair.package, "acceptance")
        open_by_keys(keys, place, pair.title)
        do_by_keys(keys, "Cancel delivery")
        assert state(pair.olga, pair.package) == "available"
        carrepsa.has(FULL, FULL)
    open_by_keys(pair.hers, "My packages", pair.title)
    do_by_keys(pair.hers, "Cancel request")
    expect(package_card(pair.hers.page, pair.title)).to_have_count(0)
    pair.olga.call("GET", pair.address, expect=404)
    carrepsa.has(FULL, FULL)


def test_delivery_is_cancelled_by_owner_and_carrier_on_the_way(carrepsa, pair):
    act(pair.karl, pair.package, "acceptance")
    act(pair.olga, pair.package, "pickup")
    for label in ("Ask to cancel", "Take the request back", "I have delivered it"):
        is_open(pair.his.page, pair.address)
        do_by_keys(pair.his, label)
    assert pair.olga.call("GET", pair.address, expect=200)["deliveryReportedAt"]
    act(pair.olga, pair.package, "cancellation-request")
    is_open(pair.his.page, pair.address)
    do_by_keys(pair.his, "Agree to cancel")
    assert state(pair.olga, pair.package) == "cancelled"
    carrepsa.has(FULL, FULL)
    # Finished deliveries are in another part of the list.
    pair.his.goes(pair.his.page.get_by_role("link", name=words("Past")), "past=true")
    expect(package_card(pair.his.page, pair.title)).to_be_visible()


def test_focus_stays_nearby_when_its_element_is_removed(carrepsa, pair):
    act(pair.karl, pair.package, "acceptance")
    is_open(pair.hers.page, pair.address)
    cancel = action(pair.hers.page, "Cancel delivery")
    pair.hers.to(cancel)
    act(pair.karl, pair.package, "acceptance", method="DELETE", expect=200)
    expect(cancel).to_have_count(0)
    pair.hers.keeps_focus()


def test_handover_is_confirmed_by_code(carrepsa, pair):
    act(pair.karl, pair.package, "acceptance")
    open_by_keys(pair.hers, "My packages", pair.title)
    show = button(pair.hers.page, "Show my code")
    pair.hers.enter(show)
    code = pair.hers.page.locator("output.code")
    expect(code).to_be_visible()
    hide = button(pair.hers.page, "Hide my code")
    expect(hide).to_be_focused()
    expect(show).to_be_hidden()
    pair.hers.enter(hide)
    expect(code).to_have_count(0)
    expect(show).to_be_focused()
    pair.hers.enter(show)
    expect(code).to_be_visible()
    # The owner doesn't need a code but can show one.
    entered = pair.hers.page.get_by_label(words("Code"))
    expect(entered).to_be_hidden()
    pair.hers.enter(pair.hers.page.locator("summary", has_text="Enter Karl’s code"))
    expect(entered).to_be_visible()
    pair.hers.enter()
    expect(entered).to_be_hidden()

    open_by_keys(pair.his, "My deliveries", pair.title)
    field = pair.his.page.get_by_label(words("Code"))
    digits = re.sub(r"\D", "", code.inner_text())
    pair.his.type(field, digits[:-1] + str((int(digits[-1]) + 1) % 10)).enter()
    expect(pair.his.page.get_by_text("This is not Olga’s code.")).to_be_visible()
    expect(field).to_be_focused()
    pair.his.type(field, digits).enter()
    expect(pair.his.page).not_to_have_url(re.compile(pair.address))
    assert state(pair.olga, pair.package) == "travelling"
    carrepsa.has((START - REWARD, REWARD), (START - LOCK, LOCK))


def test_problem_is_reported_and_decided_by_an_operator(carrepsa, pair, sign_in):
    vera = carrepsa.add_person("Vera")
    carrepsa.operator(vera)
    act(pair.karl, pair.package, "acceptance")
    act(pair.olga, pair.package, "pickup")
    open_by_keys(pair.hers, "My packages", pair.title)
    page = pair.hers.page
    fold, send = page.locator("summary", has_text="Report a problem"), page.locator("#step-dispute button")
    expect(send).to_be_hidden()
    pair.hers.enter(fold)
    expect(fold).to_be_focused()
    pair.hers.enter(send)
    reason = page.get_by_label("What is wrong?")
    expect(page.get_by_text("Say what is wrong.")).to_be_visible()
    kind = page.get_by_label("What is it about?")
    expect(kind).to_be_focused()
    kind.press("ArrowDown")
    expect(kind).to_have_value("notDelivered")
    pair.hers.type(reason, "It never came.").enter(send)
    expect(page).not_to_have_url(re.compile(pair.address))
    assert pair.karl.call("GET", pair.address, expect=200)["disputedAt"]

    act(pair.karl, pair.package, "statements", body={"statement": "It is at the door."})
    keys = Keyboard(sign_in(vera))
    page = keys.page
    page.goto("/carrepsa/profile")
    keys.goes(row(page, "Packages in dispute"), "/carrepsa/disputes$")
    keys.goes(row(page, pair.title), f"{pair.address}$")
    keys.type(page.get_by_label(re.compile("^Reason")), "The neighbour has it.")
    keys.confirms(button(page, "It was delivered"))
    expect(page).to_have_url(re.compile("/carrepsa/disputes$"))
    act(pair.olga, pair.package, "decision/acceptance")
    act(pair.karl, pair.package, "decision/acceptance")
    assert state(pair.karl, pair.package) == "delivered"
    carrepsa.has((START - REWARD, 0), (START + REWARD, 0), FULL)


def test_package_is_searched_for_and_its_owner_viewed(carrepsa, pair):
    town = f"Ort {pair.olga.id[-6:]}"
    near = post(pair.olga, f"Near {pair.olga.id[-6:]}", to=town)
    keys = pair.his
    page = keys.page
    keys.enter(tab(page, "Search"))
    expect(package_card(page, pair.title)).to_be_visible()
    settled(page)
    keys.type(page.locator("#filter-from"), "aach").type(page.locator("#filter-to"), town)
    expect(package_card(page, pair.title)).to_have_count(0)
    expect(page.locator("#filter-to")).to_be_focused()
    keys.type(page.locator("#filter-weight"), "1.1")
    expect(package_card(page, near["title"])).to_have_count(0)
    keys.type(page.locator("#filter-weight"), "1.5").enter()
    expect(package_card(page, near["title"])).to_be_visible()
    expect(page.locator("#filter-weight")).to_be_focused()
    found = page.url
    assert "kilograms=1.5" in found
    keys.goes(package_card(page, near["title"]).get_by_role("link", name=words(near["title"])), near["id"])
    keys.goes(row(page, "Olga"), f"/carrepsa/people/{pair.olga.id}")
    expect(page.get_by_text("Contact details are hidden")).to_be_visible()
    keys.goes(page.locator("[data-back]"), near["id"])
    keys.goes(page.locator("[data-back]"), re.escape(found) + "$")
    expect(page.locator("#filter-to")).to_have_value(town)


def test_wallet_is_viewed(carrepsa, pair):
    keys = pair.hers
    page = keys.page
    keys.enter(tab(page, "Profile"))
    expect(page.locator("#balance")).to_have_text(amount(START - REWARD))
    settled(page)
    keys.goes(page.locator("a.wallet"), "/carrepsa/wallet/entries$")
    held = page.locator("details", has=page.locator("#held"))
    keys.enter(held.locator("summary"))
    expect(held.get_by_role("link", name=pair.title)).to_be_visible()
    keys.to(held.get_by_role("link", name=pair.title))
    movement = page.locator(".movements details").first
    keys.enter(movement.locator("summary"))
    expect(movement).to_contain_text("It goes to the carrier on delivery")
    keys.goes(movement.get_by_role("link", name=words("Open package")), rf"{pair.address}\?from=wallet$")
    keys.goes(page.locator("[data-back]"), "/carrepsa/wallet/entries$")


def test_name_phone_and_email_are_changed_in_dialogs(carrepsa, pair):
    keys = pair.hers
    page = keys.page
    for title, key, bad, good in (("Name", "name", "x" * 51, "Olga Petrowa"),
                                  ("Phone", "phone", "call me", "+491705550123"),
                                  ("Mail", "email", "olga at home", f"olga.{pair.olga.id[-12:]}@example.org")):
        keys.enter(tab(page, "Profile"))
        expect(page).to_have_url(re.compile("/carrepsa/profile$"))
        settled(page)
        popup = page.get_by_role("dialog", name=words(title))
        opener = page.get_by_role("main").get_by_role("button", name=re.compile(rf"^{title}\b"))
        text = popup.locator("input:not([type=hidden])").first
        keys.opens_and_escapes(opener, popup)
        keys.enter(opener)
        expect(text).to_be_focused()
        keys.type(text, bad).enter()
        expect(text).to_have_attribute("aria-invalid", "true")
        expect(text).to_be_focused()
        # The input would be lost, so a confirmation opens first.
        keys.type(text, good).escape()
        expect(page.get_by_role("alertdialog")).to_contain_text("Discard")
        keys.answer("Discard") if key == "name" else keys.escape()
        if key == "name":
            expect(popup).to_have_count(0)
            keys.enter(opener)
            keys.type(text, good)
        expect(text).to_be_focused()
        if key == "email":  # the email decides who owns the account
            keys.type(popup.get_by_label("Your password"), pair.olga.password)
        keys.enter()
        expect(popup).to_have_count(0)
        expect(page.get_by_role("main")).to_contain_text(good)
        assert pair.olga.call("GET", "/account", expect=200)[key] == good
