"""Elements and actions of Family's pages."""

import re

from playwright.sync_api import expect

from support.pages import png_file, words

BORN = "2017-05-12"


def open_dashboard(page):
    page.goto("/family")
    expect(page.get_by_role("heading", name=words("Family"), level=1)).to_be_visible()


def cards(page):
    """The cards with a child's name and points. A tap on a card opens the profile."""
    return page.locator(".family-cards").get_by_role("listitem").filter(
        has=page.locator("a[href^='/family/children/']"))


def card(page, name):
    return cards(page).filter(has=page.get_by_role("link", name=words(name)))


def plus(page, choice):
    """Opens the menu at the top right and selects a choice."""
    button = page.locator("header").get_by_role("link", name=re.compile("add", re.I))
    box, width = button.bounding_box(), page.viewport_size["width"]
    assert box["x"] + box["width"] > width * 0.85 and box["y"] < 120, "the plus is not at the top right"
    button.click()
    sheet = page.get_by_role("dialog")
    expect(sheet).to_be_visible()
    item = sheet.get_by_role("link", name=words(choice)).or_(sheet.get_by_role("button", name=words(choice)))
    item.click()


def press(page, label):
    page.get_by_role("button", name=words(label)).click()


def field(page, label):
    return page.get_by_label(re.compile(rf"^\s*{label}", re.I))


def is_marked(locator, page):
    """Expects the field to be red with an error message."""
    expect(locator).to_have_attribute("aria-invalid", "true")
    described = (locator.get_attribute("aria-describedby") or "").split()
    message = page.locator(f"#{next(one for one in described if one.endswith('error'))}")
    expect(message).to_be_visible()
    expect(message).not_to_be_empty()


def marked(page):
    return page.locator("main [aria-invalid=true]:visible, dialog[open] [aria-invalid=true]:visible")


def choose_photo(page, **options):
    page.get_by_role("button", name=words("Photo")).click()
    page.get_by_role("dialog").get_by_text(words("Select from photo library")).click()
    page.get_by_label("Choose from this phone").set_input_files(png_file(**options))
    expect(page.locator("[data-photo-preview] img")).to_be_visible()


def open_profile(page, name):
    open_dashboard(page)
    card(page, name).get_by_role("link", name=words(name)).click()
    expect(page.get_by_role("heading", name=words(name), level=1)).to_be_visible()


def open_edit(page):
    page.get_by_role("main").get_by_role("link", name=words("Edit")).click()
    sheet = page.locator("dialog#edit")
    expect(sheet).to_be_visible()
    return sheet


def open_assign(page):
    plus(page, "Assign chores")
    dialog = page.get_by_role("dialog", name=words("Assign chores"))
    expect(dialog).to_be_visible()
    return dialog


def give(dialog, chore, points):
    """Selects 1, 2 or 3 points for a chore."""
    row = dialog.get_by_role("listitem").filter(has_text=chore)
    row.get_by_role("radio", name=words("1 point" if points == 1 else f"{points} points")).check()


def score(parent, child):
    now = parent.call("GET", f"/family/children/{child['id']}", expect=200)
    return now["gainedPoints"], now["achievementPoints"], now["prizeLevel"]


def names(parent, path="/family/children"):
    return [one["name"] for one in parent.call("GET", f"{path}?limit=200", expect=200)["items"]]


def fill_level(page, index, reward, points):
    """Fills a row of the contract form. The form starts with one row."""
    if page.locator(f"[name='levels.{index}.reward']").count() == 0:
        press(page, "Add a level")
    page.locator(f"[name='levels.{index}.reward']").fill(reward)
    page.locator(f"[name='levels.{index}.points']").fill(str(points))
