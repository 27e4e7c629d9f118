"""The main flows with Tab, Enter and Escape only. Every tab stop is visible, and the focus returns when a sheet
closes."""

import re

from playwright.sync_api import expect

from support.carrepsa import REWARD, START, CarrepsaFixture, state
from support.children import Household
from support.keys import Keyboard, button, choose_from_menu, do_by_keys, open_by_keys, settled, tab
from support.pages import card, name_field, words


def test_signing_in_and_out(engine, person, phone):
    ada = person("Ada")
    page = phone(ada.server)
    page.goto("/sign-in?return=/account")
    keys = Keyboard(page)
    page.keyboard.press("Tab")
    keys.shows_focus()
    keys.type(page.locator("#email"), ada.email).type(page.locator("#password"), "wrong horse").enter()
    expect(page.get_by_role("alert")).to_contain_text("Email or password is wrong.")
    keys.type(page.locator("#password"), ada.password).enter(button(page, "Sign in"))
    expect(page).to_have_url(re.compile("/account$"))
    settled(page)
    keys.enter(button(page, "Sign out"))
    page.wait_for_url(re.compile("/sign-in|/$"))
    page.goto("/account")
    expect(page).to_have_url(re.compile("/sign-in"))


def test_first_tab_stop_skips_the_bars(engine, person, sign_in):
    page = sign_in(person())
    page.goto("/tracking/items")
    settled(page)
    page.keyboard.press("Tab")
    skip = page.locator("a.skip")
    expect(skip).to_be_focused()
    Keyboard(page).shows_focus()
    page.keyboard.press("Enter")
    expect(page.locator("#main")).to_be_focused()


def test_an_item_is_added_edited_and_deleted(engine, person, sign_in):
    ada = person("Ada")
    page = sign_in(ada)
    page.goto("/tracking/items")
    settled(page)
    keys = Keyboard(page)
    keys.enter(page.locator("header").get_by_role("link", name=re.compile("add", re.I)))
    expect(page.get_by_role("heading", name=words("Add item"))).to_be_visible()
    settled(page)
    keys.opens_and_escapes(page.locator("[data-photo-pick]"), page.locator("dialog.actions[open]"))
    keys.type(name_field(page), "Keys").enter()
    sheet = page.get_by_role("dialog", name=re.compile("pair a tracker", re.I))
    expect(sheet).to_be_visible()
    keys.enter(sheet.get_by_role("button", name=words("Later")))
    expect(sheet).to_be_hidden()

    keys.enter(card(page, "Keys").get_by_role("link", name=words("Keys")))
    expect(page.get_by_role("heading", name="Keys", level=1)).to_be_visible()
    settled(page)
    keys.enter(page.get_by_role("link", name=words("Edit")))
    expect(page).to_have_url(re.compile("/edit$"))
    settled(page)
    keys.type(page.locator("#name"), "Car keys").enter()
    expect(page.get_by_role("heading", name="Car keys", level=1)).to_be_visible()
    assert [item["name"] for item in ada.call("GET", "/tracking/items")["items"]] == ["Car keys"]

    settled(page)
    keys.enter(page.get_by_role("link", name=words("Edit")))
    expect(page).to_have_url(re.compile("/edit$"))
    settled(page)
    delete = page.locator("main").get_by_role("link", name=words("Delete"))
    sheet = page.locator("dialog#delete")
    keys.opens_and_escapes(delete, sheet)
    assert len(ada.call("GET", "/tracking/items")["items"]) == 1
    keys.enter(delete)
    expect(sheet).to_be_visible()
    keys.enter(sheet.locator("button.button-danger"))
    page.wait_for_url(re.compile("/tracking/items($|[?])"))
    expect(page.locator("li.card")).to_have_count(0)
    assert ada.call("GET", "/tracking/items")["items"] == []


def test_package_is_posted_accepted_picked_up_and_delivered(engine, server, sign_in):
    carrepsa = CarrepsaFixture(server)
    olga, karl = carrepsa.add_person("Olga"), carrepsa.add_person("Karl")
    title = f"Parcel of {olga.id[-6:]}"
    hers, his = Keyboard(sign_in(olga)), Keyboard(sign_in(karl))
    hers.page.goto("/carrepsa")
    settled(hers.page)
    hers.enter(tab(hers.page, "New"))
    expect(hers.page.locator("#package-form")).to_be_visible()
    settled(hers.page)
    for label, text in (("Title", title), ("From", "Aachen"), ("To", "Bonn"), ("Weight", "1.2"), ("Reward", "12.00"),
                        ("Deposit", "40.00")):
        hers.type(hers.page.get_by_label(re.compile(rf"^{label}", re.I)).and_(hers.page.locator("input")).first, text)
    do_by_keys(hers, "Request delivery")
    expect(hers.page.get_by_role("heading", name=title).first).to_be_visible()
    package = olga.call("GET", "/carrepsa/packages?role=owner")["items"][0]

    his.page.goto("/carrepsa")
    settled(his.page)
    open_by_keys(his, "Search", title)
    do_by_keys(his, "Accept delivery")
    assert state(karl, package) == "accepted"
    open_by_keys(hers, "My packages", title)
    do_by_keys(hers, "Confirm pickup")
    assert state(karl, package) == "travelling"
    open_by_keys(hers, "My packages", title)
    do_by_keys(hers, "Confirm delivery")
    assert state(karl, package) == "delivered"
    carrepsa.has((START - REWARD, 0), (START + REWARD, 0))
    carrepsa.is_sound()


def test_family_is_set_up_and_a_chore_assigned_and_undone(engine, server, sign_in):
    paula = Household(server)
    paula.picture()
    page = sign_in(paula)
    page.goto("/family")
    settled(page)
    keys = Keyboard(page)

    choose_from_menu(keys, "Add a child")
    expect(page.locator("#person-form")).to_be_visible()
    settled(page)
    # Typed digit by digit. For the fifth of May the order of day and month doesn't matter.
    keys.type(page.locator("#name"), "Mia").type(page.locator("#dateOfBirth"), "05052017")
    keys.enter(button(page, "Add a child"))
    page.wait_for_url(re.compile("/family$"))
    mia = paula.call("GET", "/family/children")["items"][0]
    assert (mia["name"], mia["dateOfBirth"]) == ("Mia", "2017-05-05")

    settled(page)
    choose_from_menu(keys, "Add a chore")
    expect(page.locator("#chore-form")).to_be_visible()
    settled(page)
    keys.enter(page.locator("[data-photo-pick]"))
    keys.enter(page.get_by_role("dialog").get_by_role("button", name=words("Select from photo library")))
    library = page.locator("dialog.sheet[open]")
    keys.enter(library.locator("[data-picture-id]").first)
    expect(library).to_have_count(0)
    expect(page.locator("[data-photo-pick]")).to_be_focused()
    keys.type(page.locator("#name"), "Dishes").enter()
    expect(page).not_to_have_url(re.compile("/chores/new"))
    assert [chore["name"] for chore in paula.call("GET", "/family/chores")["items"]] == ["Dishes"]

    keys.enter(tab(page, "Family"))
    expect(page).to_have_url(re.compile("/family$"))
    settled(page)
    keys.enter(page.get_by_role("link", name=words("Mia")))
    expect(page.get_by_role("heading", name=words("Mia"), level=1)).to_be_visible()
    settled(page)
    choose_from_menu(keys, "Add contract")
    expect(page.locator("#contract-form")).to_be_visible()
    settled(page)
    keys.type(page.locator("#maxPoints"), "10")
    rewards = ["Ice cream", "Cinema", "Swimming", "Zoo"]
    for index, reward in enumerate(rewards):
        if index:
            # The form starts with one row. The sum shows that the script for more rows is loaded.
            expect(page.locator("[data-level-sum]")).not_to_be_empty()
            keys.enter(button(page, "Add a level"))
            expect(page.locator(f"[name='levels.{index}.reward']")).to_be_focused()
        keys.type(page.locator(f"[name='levels.{index}.reward']"), reward)
        keys.type(page.locator(f"[name='levels.{index}.points']"), "2")
    keys.enter(page.locator("#contract-form > button[type=submit]"))
    expect(page.get_by_role("heading", name=words("Mia"), level=1)).to_be_visible()
    contract = paula.call("GET", f"/family/children/{mia['id']}", expect=200)["contract"]
    assert [level["reward"] for level in contract["levels"]] == rewards

    settled(page)
    choose_from_menu(keys, "Assign chores")
    sheet = page.locator("dialog#assign")
    expect(sheet).to_be_visible()
    keys.escape()
    expect(sheet).to_be_hidden()
    expect(page.locator("header a.bar-icon")).to_be_focused()
    choose_from_menu(keys, "Assign chores")
    point = sheet.get_by_role("radio", name=words("1 point"))
    keys.enter(point)
    expect(point).to_be_checked()
    keys.enter(button(sheet, "Assign"))
    expect(page.locator("#gained")).to_contain_text("1")

    settled(page)
    undo = page.get_by_role("button", name=re.compile("Undo 1 point"))
    keys.opens_and_escapes(undo, page.get_by_role("alertdialog"))
    keys.enter(undo).answer("Undo")
    expect(page.locator("#finished")).to_contain_text("Undone")
    assert paula.call("GET", f"/family/children/{mia['id']}", expect=200)["gainedPoints"] == 0

    settled(page)
    keys.enter(tab(page, "Account"))
    expect(page).to_have_url(re.compile("/family/account$"))
    settled(page)
    choose_from_menu(keys, "Sign out")
    page.wait_for_url(re.compile("/sign-in"))
