"""Chores, contracts and points: F-08, F-09, F-11."""

import re

import pytest
from playwright.sync_api import expect

from support.family import (
    choose_photo,
    field,
    fill_level,
    give,
    is_marked,
    marked,
    names,
    open_assign,
    open_profile,
    plus,
    press,
    score,
)
from support.pages import answered, is_red, words
from support.parents import ada, page

# F-08

@pytest.mark.spec("F-08-N", "F-08-B")
def test_a_chore_is_added_once_it_has_a_name_and_a_picture(engine, ada, page):
    plus(page, "Add a chore")
    press(page, "Add a chore")
    is_marked(field(page, "Name"), page)
    problem = page.locator("[data-photo-error]")
    expect(problem).not_to_be_empty()
    assert is_red(problem.evaluate("element => getComputedStyle(element).color"))
    assert names(ada, "/family/chores") == []
    field(page, "Name").fill("Set the table")
    choose_photo(page)
    press(page, "Add a chore")
    page.wait_for_url(re.compile("/family$"))
    page.goto("/family/account")
    expect(page.locator("#chores")).to_contain_text("Set the table")
    expect(page.locator("#chores img").first).to_be_visible()


# F-09

@pytest.mark.spec("F-09-N", "F-09-B")
def test_a_contract_is_added_once_its_levels_fit_the_maximum(engine, ada, page):
    mia = ada.child("Mia")
    ada.gives(mia, ada.chore(), 2)
    open_profile(page, "Mia")
    plus(page, "Add contract")
    field(page, "Maximum points").fill("10")
    field(page, "Description").fill("Until summer")
    for levels, fault in (([("Ice cream", 11)], 0), ([("Ice cream", 3), ("Cinema", 3), ("Zoo", 5)], 2)):
        for index, (reward, points) in enumerate(levels):
            fill_level(page, index, reward, points)
        # The page marks it during input. A later response would overwrite the input.
        with answered(page):
            press(page, "Add contract")
        is_marked(page.locator(f"[name='levels.{fault}.points']"), page)
        expect(marked(page)).to_have_count(1)
        assert ada.call("GET", f"/family/children/{mia['id']}")["contract"] is None
    page.locator("[name='levels.2.points']").fill("4")
    expect(marked(page)).to_have_count(0)
    expect(page.locator("[data-level-sum]")).to_contain_text("10 of 10")
    press(page, "Add contract")
    page.wait_for_url(re.compile(f"/family/children/{mia['id']}$"))
    expect(page.locator("#gained")).to_contain_text("0 of 10")
    expect(page.locator("#achievement")).to_contain_text("2")
    for text in ["Ice cream", "Cinema", "Zoo", "Until summer"]:
        expect(page.get_by_role("main")).to_contain_text(text)
    assert score(ada, mia) == (0, 2, 0)


# F-11

@pytest.mark.spec("F-11-N")
def test_points_and_levels_update_after_each_assignment_and_undo(engine, ada, page):
    mia, chore = ada.child("Mia"), ada.chore()
    ada.contract(mia)
    open_profile(page, "Mia")

    def shows(gained, level, achievement):
        expect(page.locator("#gained")).to_have_text(f"{gained} of 10")
        expect(page.locator("#level")).to_have_text(str(level))
        expect(page.locator("#achievement")).to_have_text(str(achievement))

    for points, *shown in [(3, 3, 1, 3), (3, 6, 2, 6), (3, 9, 2, 9), (3, 10, 3, 12)]:
        booked = ada.gives(mia, chore, points)
        shows(*shown)
    expect(page.locator("#rewards")).to_contain_text("2 points above the maximum")
    ada.call("DELETE", f"/family/children/{mia['id']}/assignments/{booked['id']}", expect=204)
    shows(9, 2, 9)
    expect(page.locator("#rewards").get_by_text("Lost again")).to_have_count(1)
    expect(page.locator("#rewards")).not_to_contain_text("above the maximum")


@pytest.mark.spec("F-11-N", "F-11-B")
def test_chores_are_assigned_unless_none_is_chosen_or_the_sheet_is_closed(engine, ada, page):
    mia = ada.child("Mia")
    ada.chore("Dishes")
    ada.chore("Dog")
    ada.contract(mia)
    # The list is longer than the screen.
    for number in range(8):
        ada.chore(f"Chore {number}")
    open_profile(page, "Mia")
    dialog = open_assign(page)
    give(dialog, "Dishes", 2)
    press(dialog, "Close")
    expect(dialog).to_be_hidden()
    assert score(ada, mia) == (0, 0, 0)
    dialog = open_assign(page)
    expect(dialog.locator("input:checked[data-takes-back]")).to_have_count(0)
    press(dialog, "Assign")
    expect(dialog).to_be_visible()
    hint, button = dialog.get_by_role("alert"), dialog.get_by_role("button", name=words("Assign"))
    expect(hint).to_contain_text(re.compile("at least one"))
    # The message is beside the button, which has the focus and is described by it.
    expect(button).to_be_focused()
    expect(button).to_have_accessible_description(re.compile("at least one"))
    expect(hint).to_be_in_viewport(ratio=1)
    expect(button).to_be_in_viewport(ratio=1)
    above, below = button.bounding_box(), hint.bounding_box()
    assert 0 <= below["y"] - above["y"] - above["height"] < 40
    assert score(ada, mia) == (0, 0, 0)
    give(dialog, "Dishes", 2)
    expect(dialog.get_by_role("alert")).to_be_hidden()
    # A second tap or the space bar clears a choice.
    chosen = dialog.get_by_role("listitem").filter(has_text="Dishes").get_by_role("radio", name=words("2 points"))
    chosen.press(" ")
    expect(chosen).not_to_be_checked()
    give(dialog, "Dishes", 3)
    give(dialog, "Dog", 3)
    press(dialog, "Assign")
    expect(dialog).to_be_hidden()
    finished = page.locator("#finished")
    expect(finished.get_by_role("heading", name=words("Finish chores"))).to_be_visible()
    expect(finished.locator("h2 svg.icon")).to_be_visible()
    expect(finished.get_by_role("listitem")).to_have_count(2)
    for name in ["Dishes", "Dog"]:
        done = finished.get_by_role("listitem").filter(has_text=name)
        expect(done).to_contain_text("+3")
        expect(done.locator("img")).to_be_visible()
    expect(page.locator("#gained")).to_contain_text("6 of 10")
    assert score(ada, mia) == (6, 6, 2)


def test_assigning_a_chore_deleted_elsewhere_is_rejected(engine, ada, page):
    mia = ada.child("Mia")
    _, dog = ada.chore("Dishes"), ada.chore("Dog")
    open_profile(page, "Mia")
    dialog = open_assign(page)
    give(dialog, "Dishes", 2)
    row = dialog.get_by_role("listitem").filter(has_text="Dog")
    expect(row).to_be_visible()
    ada.call("DELETE", f"/family/chores/{dog['id']}", expect=204)
    expect(row).to_have_count(0)
    expect(dialog.locator("input:checked[data-takes-back]")).to_have_count(1)
    # A page that missed the event still sends the deleted chore.
    dialog.locator("form[action$='/assignments']").evaluate(
        """(form, id) => {
            const sent = document.createElement('input');
            Object.assign(sent, {type: 'hidden', name: `points.${id}`, value: '3'});
            form.append(sent);
        }""", dog["id"])
    press(dialog, "Assign")
    expect(dialog.get_by_role("alert")).to_contain_text(re.compile("A chore that you chose was deleted"))
    assert score(ada, mia) == (0, 0, 0)
    press(dialog, "Assign")
    expect(page.locator("#finished")).to_contain_text("Dishes")
    assert score(ada, mia) == (0, 2, 0)
