"""Overlays (sheets, menus, dialogs, the camera) are accessible in light and dark, fit a small phone, and have large
targets."""

import re

import pytest
from playwright.sync_api import expect

import support.views
from support.households import in_all_apps
from support.items import photo_sheet
from support.layout_checks import SMALL, check, come_to_rest, flaws
from support.pages import later, name_field, open_add, save, words
from support.views import addresses

OPENER = "[data-sheet], form[data-confirm] button, [data-photo-pick]"
# The elements of the view that open something, one of each kind.
OPENERS = """(opener) => {
  const seen = new Set();
  return [...document.querySelectorAll(opener)].map((element, index) => {
    const asked = element.form?.dataset.confirm;
    const what = element.dataset.sheet ?? (asked && `${asked} ${element.form.dataset.confirmNote ?? ""}`) ?? "photo";
    const isEnabled = !element.disabled && element.ariaDisabled !== "true";
    const isThere = element.checkVisibility() && !element.closest("dialog") && isEnabled;
    if (!isThere || seen.has(what)) return null;
    seen.add(what);
    return [index, what];
  }).filter(Boolean);
}"""


def each_opened(page, views, password):
    """Opens each overlay of each view and yields its name while it is open."""
    for view in views:
        check(page, view)
        openers = page.evaluate(OPENERS, OPENER)
        if openers:
            expect(page.locator("html"), view).to_have_attribute("data-live", "open")
        for field in page.locator("main input[type=password]").all():
            # A confirmation about it is in the page only then.
            field.fill(password)
        for index, what in openers:
            page.locator(OPENER).nth(index).click()
            dialog = page.locator("dialog[open]")
            expect(dialog, f"{view}: {what}").to_be_visible()
            come_to_rest(page)
            yield f"{view}: {what}"
            page.keyboard.press("Escape")
            expect(dialog).to_have_count(0)


def gather(page, opened):
    """Returns the problems of each overlay, and the names of all overlays."""
    # The view behind it was checked by itself.
    found = {what: flaws(page, "dialog[open]") for what in opened}
    return {what: wrong for what, wrong in found.items() if wrong}, list(found)


@pytest.fixture(scope="session")
def home(servers):
    return in_all_apps(servers("sqlite"))


@pytest.mark.parametrize("views, least", [
    (addresses(support.views.OWNER),
     [": maps", ": delete", ": photo", ": popup-phone", "Disconnect this app?", "Cancel this request?",
      "Carry this package?", "Delete this safe place?"]),
    (addresses(support.views.PARENT), [": actions", ": edit", "Take back 2 points"]),
], ids=["items, packages and the account", "family"])
def test_overlays_are_accessible(home, sign_in, views, least):
    page = sign_in(home.parent, viewport=SMALL)
    views = [view.format(**home.ids) for view in views]
    problems, opened = gather(page, each_opened(page, views, home.parent.password))
    assert not problems
    for part in least:
        assert any(part in what for what in opened), (part, opened)


def test_pairing_sheet_and_photo_sheet_are_accessible(home, sign_in):
    page = sign_in(home.parent, viewport=SMALL)
    page.context.grant_permissions(["camera"])
    problems = {}

    def look(what):
        come_to_rest(page)
        if found := flaws(page, "dialog[open]"):
            problems[what] = found

    open_add(page)
    sheet = photo_sheet(page)
    look("the ways to a photo")
    sheet.get_by_text(words("Select from photo library")).click()
    library = page.locator("dialog.sheet[open]")
    expect(library.locator("[data-picture-id]").first).to_be_visible()
    look("the library")
    page.keyboard.press("Escape")
    expect(library).to_have_count(0)
    photo_sheet(page).get_by_text(words("Take a new photo")).click()
    camera = page.locator("dialog.camera[open]")
    expect(camera.locator("video")).to_be_visible()
    shoot = camera.locator("[data-shutter]")
    expect(shoot).to_be_visible()
    look("the camera")
    shoot.click()
    expect(camera.locator("[data-shot]")).to_be_visible()
    look("a shot")
    page.keyboard.press("Escape")
    expect(camera).to_have_count(0)

    name_field(page).fill("Umbrella")
    save(page)
    expect(page.get_by_role("dialog", name="Pair a tracker")).to_be_visible()
    look("pairing")
    later(page)

    page.goto(f"/tracking/items/{home.ids['empty']}/tracker")
    page.locator("#pair-form [name=code]").fill("K7QF")
    page.locator("[data-back]").click()
    expect(page.get_by_role("alertdialog")).to_contain_text("Discard")
    look("the question whether to discard what was typed")
    assert not problems


def test_back_closes_the_topmost_dialog_and_then_leaves(person, sign_in):
    page = sign_in(person())
    open_add(page)
    sheet = photo_sheet(page)
    page.go_back()
    expect(sheet).to_be_hidden()
    expect(page).to_have_url(re.compile("/tracking/items/new$"))
    # Closed in another way: one step back leaves the page, and not only the sheet that is gone.
    sheet = photo_sheet(page)
    page.keyboard.press("Escape")
    expect(sheet).to_be_hidden()
    page.evaluate("() => { history.back(); }")
    page.wait_for_url("**/tracking/items")


def test_back_in_a_sheet_with_entries_asks_first(home, sign_in):
    page = sign_in(home.parent)
    address = f"/family/children/{home.ids['mia']}"
    page.goto(address)
    page.locator("main [data-sheet='edit'], .bar [data-sheet='edit']").first.click()
    name = page.locator("dialog#edit [name=name]")
    name.fill("Amelia")
    page.go_back()
    question = page.get_by_role("alertdialog")
    expect(question).to_be_visible()
    page.go_back()
    expect(question).to_have_count(0)
    expect(name).to_have_value("Amelia")
    page.go_back()
    question.get_by_role("button", name=words("Discard")).click()
    expect(name).to_be_hidden()
    expect(page).to_have_url(re.compile(f"{address}$"))
