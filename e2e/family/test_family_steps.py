"""Chores with steps to tick off and a photo (F-34)."""

import re

import pytest
from playwright.sync_api import expect

from support.children import home, sign_in_by_link
from support.family import choose_photo, press, score
from support.layout_checks import flaws
from support.pages import words


def requests_path(child):
    return f"/family/children/{child['id']}/requests"


def open_chore(page, child, chore):
    page.goto(f"/family/children/{child['id']}")
    page.get_by_role("link", name=words(f"I have done “{chore['name']}”")).click()
    expect(page.get_by_role("heading", name=words(chore["name"]), level=1)).to_be_visible()


def step(page, text):
    return page.get_by_role("checkbox", name=words(text))


@pytest.mark.spec("F-34-N")
def test_a_child_ticks_off_steps_and_adds_a_photo(engine, server, home, sign_in, phone):
    dishes = home.parent.chore("Dishes")
    home.parent.call("PATCH", f"/family/chores/{dishes['id']}",
                     {"steps": ["Wash", "Dry", "Put away"], "needsPhoto": True}, expect=200)
    child = sign_in_by_link(phone(server), home.parent.code(home.mia), "Mia")
    open_chore(child, home.mia, dishes)
    step(child, "Wash").check()
    press(child, "Done")
    expect(child.get_by_text("Tick off every step first.")).to_be_visible()
    expect(child.get_by_text("Add a photo of what you have done.")).to_be_visible()
    expect(step(child, "Wash")).to_be_checked()
    assert flaws(child) == []
    for text in ("Dry", "Put away"):
        step(child, text).check()
    choose_photo(child)
    press(child, "Done")
    expect(child.locator(f"#chore-{dishes['id']}")).to_contain_text("Waiting for a parent")
    [asked] = home.parent.call("GET", requests_path(home.mia), expect=200)["items"]
    page = sign_in(home.parent)
    page.goto(f"{requests_path(home.mia)}/{asked['id']}")
    photo = page.get_by_role("img", name="Photo by Mia")
    expect(photo).to_be_visible()
    assert photo.evaluate("(image) => image.decode().then(() => image.naturalWidth > 0)")
    assert flaws(page) == []
    # A sibling doesn't see it, and it is deleted when a parent decides.
    assert home.parent.device(home.ben).tries("GET", f"/pictures/{asked['photoId']}") == 404
    press(page, "Give 3 points for “Dishes”")
    page.wait_for_url(re.compile(f"/family/children/{home.mia['id']}$"))
    assert score(home.parent, home.mia) == (0, 3, 0)
    home.parent.call("GET", f"/pictures/{asked['photoId']}", expect=404)
