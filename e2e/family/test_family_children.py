"""The children on a parent's dashboard, and profiles: F-06, F-07, F-12, F-13."""

import re

import pytest
from playwright.sync_api import expect

from support.family import (
    BORN,
    card,
    cards,
    field,
    is_marked,
    marked,
    names,
    open_dashboard,
    open_edit,
    open_profile,
    plus,
    press,
    score,
)
from support.layout_checks import scrolls_sideways
from support.pages import border_colors, is_red, until, words
from support.parents import ada, page

# F-06-A is about changes elsewhere, not about connection loss.
pytestmark = pytest.mark.no_service_worker


# F-06

@pytest.mark.spec("F-06-N")
def test_dashboard_shows_a_card_for_each_child(engine, ada, page):
    children = [ada.child(name) for name in ["Mia", "Ben", "Zoé"]]
    dishes = ada.chore()
    ada.contract(children[0])
    ada.gives(children[0], dishes, 3)
    expect(cards(page)).to_have_count(3)
    mia = card(page, "Mia")
    for text in ["3 of 10", "3 in all", "Level 1"]:
        expect(mia).to_contain_text(text)
    expect(mia.locator("img")).to_be_visible()
    ada.gives(children[1], dishes, 2)
    expect(card(page, "Ben")).to_contain_text("2 in all")
    card(page, "Zoé").get_by_role("link", name=words("Zoé")).click()
    expect(page.get_by_role("heading", name=words("Zoé"), level=1)).to_be_visible()


@pytest.mark.spec("F-06-B")
def test_dashboard_shows_no_child_and_ten_children(engine, ada, page):
    expect(cards(page)).to_have_count(0)
    expect(page.get_by_role("main").get_by_role("link", name=re.compile("^Add a child"))).to_be_visible()
    for number in range(10):
        ada.child(f"Child {number}")
    expect(cards(page)).to_have_count(10)
    last = card(page, "Child 9")
    last.scroll_into_view_if_needed()
    expect(last).to_be_in_viewport()
    assert not scrolls_sideways(page)
    last.get_by_role("link").click()
    expect(page.get_by_role("heading", name=words("Child 9"), level=1)).to_be_visible()


@pytest.mark.spec("F-06-A")
def test_child_deleted_elsewhere_disappears(engine, ada, page):
    mia, ben = ada.child("Mia"), ada.child("Ben")
    expect(cards(page)).to_have_count(2)
    ada.call("DELETE", f"/family/children/{mia['id']}", expect=204)
    expect(card(page, "Mia")).to_have_count(0)
    expect(cards(page)).to_have_count(1)
    # An open profile closes.
    open_profile(page, "Ben")
    ada.call("DELETE", f"/family/children/{ben['id']}", expect=204)
    page.wait_for_url(re.compile("/family$"))
    expect(cards(page)).to_have_count(0)


# F-07

@pytest.mark.spec("F-07-N", "F-07-B")
def test_a_child_is_added_once_its_fields_are_filled(engine, ada, page):
    plus(page, "Add a child")
    press(page, "Add a child")
    for label in ["Child’s name", "Date of birth"]:
        is_marked(field(page, label), page)
        assert all(is_red(color) and width != "0px" for width, color in border_colors(field(page, label)))
    expect(marked(page)).to_have_count(2)
    expect(page.get_by_text("Enter your")).to_have_count(0)
    assert names(ada) == []
    field(page, "Child’s name").fill("Mia 🦊")
    field(page, "Date of birth").fill("2016-02-29")
    press(page, "Add a child")
    page.wait_for_url(re.compile("/family$"))
    expect(card(page, "Mia 🦊")).to_be_visible()
    child = ada.call("GET", "/family/children")["items"][0]
    assert (child["name"], child["dateOfBirth"], child["theme"]) == ("Mia 🦊", "2016-02-29", "standard")
    assert child["avatarPictureId"]


# F-12, F-13

@pytest.mark.spec("F-12-N", "F-12-B")
def test_a_child_is_edited_in_a_sheet(engine, ada, page):
    mia = ada.child("Mia", theme="forest")
    open_profile(page, "Mia")
    avatar = page.locator("main .family-avatar").bounding_box()
    button = page.get_by_role("main").get_by_role("link", name=words("Edit")).bounding_box()
    assert button["y"] >= avatar["y"] + avatar["height"] - 1, "the edit button is not under the avatar"
    sheet = open_edit(page)
    expect(field(sheet, "Name")).to_have_value("Mia")
    expect(field(sheet, "Date of birth")).to_have_value(BORN)
    expect(sheet.get_by_role("radio", name=words("Forest"))).to_be_checked()
    expect(sheet.locator("input[name=avatarPictureId]:checked")).to_have_count(1)
    field(sheet, "Name").fill("")
    field(sheet, "Date of birth").fill("")
    press(sheet, "Update")
    for label in ["Name", "Date of birth"]:
        is_marked(field(sheet, label), page)
    expect(sheet).to_be_visible()
    assert ada.call("GET", f"/family/children/{mia['id']}")["name"] == "Mia"
    field(sheet, "Name").fill("Mia Sofia")
    field(sheet, "Date of birth").fill("2016-02-29")
    sheet.get_by_role("radio", name=words("Space")).check()
    sheet.locator("input[name=avatarPictureId]:not(:checked)").nth(2).check()
    press(sheet, "Update")
    page.wait_for_url(re.compile("/family$"))
    expect(card(page, "Mia Sofia")).to_be_visible()
    now = ada.call("GET", f"/family/children/{mia['id']}")
    assert (now["name"], now["dateOfBirth"], now["theme"]) == ("Mia Sofia", "2016-02-29", "space")
    assert now["avatarPictureId"] != mia["avatarPictureId"]


@pytest.mark.spec("F-12-N")
def test_deleted_child_is_restored_with_undo_after_its_live_event(engine, ada, page):
    mia = ada.child("Mia")
    ada.gives(mia, ada.chore(), 3)
    open_profile(page, "Mia")
    expect(page.locator("html")).to_have_attribute("data-live", "open")
    sheet = open_edit(page)
    press(sheet, "Delete Mia")
    held, visits = [], []
    page.route("**/*_method=delete", lambda route: held.append((route, route.fetch(max_redirects=0))))
    page.on("request", lambda request: visits.append(request.url) if request.is_navigation_request() else None)
    # The live event of the deletion arrives before the response.
    with page.expect_response(lambda answer: answer.status == 404 and answer.url.endswith(mia["id"])):
        page.get_by_role("alertdialog").get_by_role("button", name=words("Delete")).click()
    until(page, "() => true")
    assert visits == []
    route, answer = held[0]
    route.fulfill(response=answer)
    page.wait_for_url(re.compile("/family$"))
    expect(cards(page)).to_have_count(0)
    page.locator(".toasts").get_by_role("button", name=words("Undo")).click()
    expect(card(page, "Mia")).to_contain_text("3 in all")
    assert score(ada, mia) == (0, 3, 0)


def open_account(page):
    tabs = page.get_by_role("navigation", name=re.compile("main sections", re.I)).get_by_role("link")
    expect(tabs.last).to_have_text(words("Account"))
    tabs.last.click()
    page.wait_for_url(re.compile("/family/account$"))


@pytest.mark.spec("F-13-N")
def test_parent_edits_own_profile(engine, ada, page):
    open_account(page)
    main = page.get_by_role("main")
    expect(main).to_contain_text("Ada")
    sheet = open_edit(page)
    expect(field(sheet, "Name")).to_have_value("Ada")
    expect(field(sheet, "Date of birth")).to_have_value("1984-02-29")
    field(sheet, "Name").fill("Ada L.")
    field(sheet, "Date of birth").fill("1985-03-01")
    sheet.get_by_role("radio", name=words("Berry")).check()
    sheet.locator("input[name=avatarPictureId]").nth(1).check()
    press(sheet, "Update")
    expect(main).to_contain_text("Ada L.")
    expect(page).to_have_url(re.compile("/family/account$"))
    expect(main).to_contain_text("1 March 1985")
    expect(main).to_contain_text("Berry")
    account = ada.call("GET", "/account")
    assert (account["name"], account["dateOfBirth"], account["theme"]) == ("Ada L.", "1985-03-01", "berry")
    open_dashboard(page)
    expect(main).to_contain_text("Ada L.")
    expect(main.locator(f"img[src*='{account['avatarPictureId']}']")).to_be_visible()
