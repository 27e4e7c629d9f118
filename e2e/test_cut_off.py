"""Signing out and a whole delivery with the lock on and the connection cut at each step: one is told so, nothing that was
typed is lost, and nothing happens twice."""

import re

import pytest
from playwright.sync_api import expect

from support.children import Household, own_card, sign_in_by_link
from support.lock import heading, set_passcode, unlock
from support.offline import LONG, QUEUED, waiting, waits, with_worker
from support.pages import toast, until, words
from support.parcels import (
    ANY_LIST, LOCK, MINE, REWARD, START, Village, action, do, field, fill_request, open_tab, parcel, state,
)

NOT_SENT = "No connection: nothing was sent. Try again."
JSON = {"Accept": "application/json"}


def cut(page):
    page.context.set_offline(True)
    until(page, "() => !navigator.onLine")


def come_back(page):
    page.context.set_offline(False)


def lock_meanwhile(page):
    """What happens to a session that is left alone, or from another of its windows. This phone can't hear of it."""
    assert page.context.request.delete("/lock/unlocking", headers=JSON).status == 204


def come_back_locked(page):
    """The connection is back: the page finds out by itself that it is locked, shows nothing else, and opens where it was."""
    lock_meanwhile(page)
    come_back(page)
    expect(heading(page, "Locked")).to_be_visible(timeout=LONG)
    expect(page.get_by_role("navigation")).to_have_count(0)
    unlock(page)
    expect(heading(page, "Locked")).to_have_count(0)
    expect(page.locator("html")).to_have_attribute("data-live", "open", timeout=LONG)


def says_that_it_needs_a_connection(page):
    expect(page.get_by_role("heading", level=1)).to_have_text("No connection")
    expect(page.locator("main")).to_contain_text("needs a connection")


def is_told(page, text=NOT_SENT):
    expect(toast(page, text)).to_be_visible()
    expect(page.locator("[aria-busy=true]")).to_have_count(0)


def tap_tab(page, name):
    page.get_by_role("navigation").get_by_role("link", name=words(name)).click()


# C-01 ----------------------------------------------------------------------------------------------------------------

REQUEST = {"Title": "Bike helmet", "From": "Aachen", "To": "Bonn", "Weight": "1.2", "Reward": "12.00", "Money lock": "40.00"}


def is_typed(page, values):
    for label, text in values.items():
        expect(field(page, label)).to_have_value(text)


def press(page, label):
    """Taps a button, and says yes where the page asks."""
    button = action(page, label).first
    asks = button.evaluate("button => button.form.hasAttribute('data-confirm')")
    button.click()
    if asks:
        page.locator("dialog[open] [data-yes]").click()


def fails_to(page, label, is_unchanged):
    """The step without a connection: it is told, the page stays, and nothing has happened; locked in between, it is still
    there to be taken."""
    place = page.url
    cut(page)
    press(page, label)
    is_told(page)
    expect(page).to_have_url(place)
    is_unchanged()
    come_back_locked(page)
    expect(page).to_have_url(place)
    is_unchanged()


def opens_parcel_despite_all(page, tab, title):
    """The list opens as it was last seen, or not at all; the parcel itself never does."""
    open_tab(page, tab)
    cut(page)
    tap_tab(page, tab)
    expect(parcel(page, title)).to_be_visible()
    expect(page.locator("#connection")).to_contain_text("No connection. Last updated")
    parcel(page, title).get_by_role("link").first.click()
    says_that_it_needs_a_connection(page)
    come_back_locked(page)
    expect(page.get_by_role("heading", name=title).first).to_be_visible(timeout=LONG)


@pytest.mark.spec("C-01")
def test_a_whole_delivery_with_the_lock_on_and_the_connection_cut_at_each_step(own_server, sign_in):
    # With nobody else's parcels in the list.
    village = Village(own_server())
    olga, karl = village.neighbour("Olga"), village.neighbour("Karl")
    hers, his = with_worker(sign_in(olga)), with_worker(sign_in(karl))
    for someone in (olga, karl):
        set_passcode(someone)
    title = REQUEST["Title"]

    # She asks for it: the way to the form, and the form.
    open_tab(hers, "My packages")
    cut(hers)
    tap_tab(hers, "New")
    says_that_it_needs_a_connection(hers)
    come_back_locked(hers)
    expect(hers.locator("#package-form")).to_be_visible(timeout=LONG)
    fill_request(hers, title)
    nothing_posted = lambda: village.has((START, 0), (START, 0))  # noqa: E731
    cut(hers)
    press(hers, "Request delivery")
    is_told(hers)
    is_typed(hers, REQUEST)
    nothing_posted()
    come_back_locked(hers)
    expect(toast(hers, "What you typed is back.")).to_be_visible()
    is_typed(hers, REQUEST)
    nothing_posted()
    do(hers, "Request delivery")
    expect(hers).to_have_url(ANY_LIST)
    [package] = olga.call("GET", "/carrepsa/packages?role=owner", expect=200)["items"]
    village.has((START - REWARD, REWARD), (START, 0))

    # He finds it: what he looks for stays typed, and is looked for once there is a connection.
    open_tab(his, "Search")
    cut(his)
    field(his, "From").fill("aach")
    is_told(his, "Check your connection")
    expect(field(his, "From")).to_have_value("aach")
    come_back_locked(his)
    expect(field(his, "From")).to_have_value("aach")
    expect(parcel(his, title)).to_be_visible()
    opens_parcel_despite_all(his, "Search", title)
    fails_to(his, "Accept delivery", lambda: village.has((START - REWARD, REWARD), (START, 0)))
    assert state(olga, package) == "available"
    do(his, "Accept delivery")
    expect(his).to_have_url(ANY_LIST)
    assert state(karl, package) == "accepted"
    village.has((START - REWARD, REWARD), (START - LOCK, LOCK))
    opens_parcel_despite_all(his, "My deliveries", title)

    # She confirms both.
    for label, before, after in (("Confirm pickup", "accepted", "travelling"), ("Confirm delivery", "travelling", "delivered")):
        opens_parcel_despite_all(hers, "My packages", title)
        fails_to(hers, label, lambda: village.has((START - REWARD, REWARD), (START - LOCK, LOCK)))
        assert state(olga, package) == before
        do(hers, label)
        expect(hers).to_have_url(MINE)
        assert state(karl, package) == after
    village.has((START - REWARD, 0), (START + REWARD, 0))
    village.is_sound()
    assert waiting(hers) == waiting(his) == [], "money never waits"


# F-17 and F-18 -------------------------------------------------------------------------------------------------------

def open_menu(page):
    plus = page.locator("header a.bar-icon")
    plus.click()
    menu = page.locator("dialog.actions[open]")
    expect(menu).to_be_visible()
    return menu


def tap_sign_out(page):
    open_menu(page).get_by_role("button", name=words("Sign out")).click()


def is_signed_in(page):
    return page.context.request.get("/family", headers=JSON).status != 401


def is_signed_out(page):
    page.wait_for_url(re.compile("/sign-in"))
    expect(page.get_by_label(re.compile("email", re.I))).to_be_visible()
    assert not is_signed_in(page)
    assert waiting(page) == []
    until(page, "async () => !(await caches.keys()).some((name) => /pages|pictures/.test(name))")


def signs_out_despite_all(page, come_back, rename):
    """Account, plus, Sign out: each tapped first without a connection."""
    page.goto("/family")
    cut(page)
    tap_tab(page, "Account")
    says_that_it_needs_a_connection(page)
    come_back(page)
    expect(page).to_have_url(re.compile("/family/account$"))
    expect(page.locator("header a.bar-icon")).to_be_visible(timeout=LONG)

    # Something that was typed waits; the way out says what it would cost.
    page.goto("/family/account/edit")
    cut(page)
    rename(page)
    waits(page, 1)
    page.goto("/family/account")
    tap_sign_out(page)
    question = page.get_by_role("alertdialog")
    expect(question).to_contain_text("lose what wasn't sent")
    question.get_by_role("button", name=words("Sign out")).click()
    # Without a connection there is no signing out, and so nothing is lost by it.
    is_told(page)
    assert is_signed_in(page) and len(waiting(page)) == 1
    come_back(page)
    waits(page, 0)

    page.goto("/family/account")
    cut(page)
    tap_sign_out(page)
    is_told(page)
    expect(page).to_have_url(re.compile("/family/account$"))
    assert is_signed_in(page)
    come_back(page)
    assert is_signed_in(page)
    page.goto("/family/account")
    tap_sign_out(page)
    is_signed_out(page)


def rename_to(name):
    def rename(page):
        page.get_by_label(words("Name")).fill(name)
        page.locator("main form button[type=submit], header button[type=submit]").first.click()
        expect(toast(page, QUEUED)).to_be_visible()

    return rename


@pytest.mark.spec("F-18-A")
def test_a_parent_signs_out_with_the_lock_on_and_the_connection_cut_at_each_step(engine, server, sign_in):
    paula = Household(server)
    paula.child("Mia")
    page = with_worker(sign_in(paula))
    set_passcode(paula)
    signs_out_despite_all(page, come_back_locked, rename_to("Paula Marie"))
    assert paula.call("GET", "/account", expect=200)["name"] == "Paula Marie", "what was typed without a connection arrived"


@pytest.mark.spec("F-17-A")
def test_a_child_signs_out_with_the_parents_lock_on_and_the_connection_cut_at_each_step(engine, server, phone, sign_in):
    paula = Household(server)
    mia = paula.child("Mia")
    parents = sign_in(paula)
    parents.goto("/family")
    set_passcode(paula)
    page = with_worker(sign_in_by_link(phone(server), paula.code(mia), "Mia"))
    expect(own_card(page, mia)).to_be_visible()
    # A child has no lock, and its parents' is none of its device.
    assert page.context.request.delete("/lock/unlocking", headers=JSON).status in (403, 409)
    lock_meanwhile(parents)

    signs_out_despite_all(page, come_back, rename_to("Mia Marie"))
    expect(heading(parents, "Locked")).to_be_visible()
    assert paula.call("GET", f"/family/children/{mia['id']}", expect=200)["name"] == "Mia Marie"
    assert paula.call("GET", f"/family/children/{mia['id']}/devices", expect=200)["items"] == []
