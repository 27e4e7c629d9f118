"""Family's views on a small phone, for parents and children: no sideways scrolling, no clipping in large text, no
broken words, large targets, and accessibility, in each theme, light and dark."""

import re
from functools import partial

from playwright.sync_api import expect

import support.views
from support.family_phones import childs_phone, dismiss, each, home, parents_phone, tablet
from support.households import THEMES, SampleHousehold
from support.layout_checks import (
    CLIPPED,
    COLOURS,
    OVER_TITLE,
    OVERLAPPING,
    SCALE,
    SMALL,
    TOO_SMALL,
    TORN,
    TRANSLATIONS,
    at_each_scale,
    come_to_rest,
    in_turn,
    violations,
)
from support.tablets import pair
from support.views import addresses

PARENT = addresses(support.views.PARENT)
CHILD = addresses(support.views.CHILD)
TABLET = addresses(support.views.TABLET)
SIGNED_OUT = addresses(support.views.FAMILY_SIGNED_OUT)
THEMED = ["/family", "/family/children/{mia}", "/family/account", "/family/account/edit"]


# Sheets that test_sheets doesn't open: in a sheet, and a child's.
SHEETS = {
    "parent": [("/family/children/{mia}", ["header a.bar-icon", "dialog[open] a[data-sheet=assign]"])],
    "child": [("/family/account", ["header a.bar-icon"])],
}


def each_sheet(page, who, home):
    for view, taps in SHEETS.get(who, []):
        page.goto(view.format(**home.ids))
        for tap in taps:
            page.locator(tap).first.click()
        expect(page.locator("dialog[open]")).to_be_visible()
        come_to_rest(page)
        yield f"{view} {taps[-1]}"


def gather(looks):
    """Collects the problems of each view."""
    return {view: found for view, found in looks if found}


# Content that overflows its card, or text too close to the card's edge.
STICKING_OUT = """() => {
  const cards = '.family-done-card, .my-done, .family-card, .my-card, .my-reward, .family-level, .row, '
    + '.family-scores > div';
  const found = [];
  for (const card of document.querySelectorAll(cards)) {
    if (!card.getClientRects().length) continue;
    const box = card.getBoundingClientRect(), walker = document.createTreeWalker(card, NodeFilter.SHOW_TEXT);
    const least = card.matches('.family-level') ? 0 : 8;
    while (walker.nextNode()) {
      const node = walker.currentNode;
      if (!node.data.trim() || node.parentElement.closest('.hidden, dt, legend')) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      for (const part of range.getClientRects()) {
        const isOutside = part.left < box.left + least || part.right > box.right - least;
        if (part.width > 1 && isOutside) found.push(node.data.trim());
      }
    }
  }
  return [...new Set(found)];
}"""


def test_every_view_fits_a_small_phone_is_accessible_and_has_large_targets(
        home, parents_phone, childs_phone, tablet, phone):
    def look(page):
        return at_each_scale(page, CLIPPED, OVER_TITLE, STICKING_OUT) + violations(page) + page.evaluate(TOO_SMALL)

    found = {}
    for who, open_phone, views in [("parent", parents_phone, PARENT), ("child", childs_phone, CHILD),
                                   ("", tablet, TABLET), ("", partial(phone, home.server), SIGNED_OUT)]:
        page = open_phone(viewport=SMALL)
        found |= gather((view, look(page)) for view in each(page, views, home))
        found |= gather((view, look(page)) for view in each_sheet(page, who, home))
    assert not found


def test_words_are_not_broken_and_bar_labels_do_not_overlap_on_a_small_phone(server, phone, sign_in):
    home = SampleHousehold(server, "Ada")
    home.ids |= {"invitation": home.invitation()["code"]}
    options = {"locale": None, "viewport": SMALL}
    parent, child = sign_in(home.parent, **options), phone(server, **options)
    child.goto(home.code()["url"])
    child.locator("form[action='/family/sign-in'] button").click()
    child.wait_for_url(re.compile("/family$"))
    dismiss(child)
    shared = pair(phone(server, **options), home.parent)
    found = {}
    for page, views in [(parent, PARENT), (child, CHILD), (shared, TABLET), (phone(server, **options), SIGNED_OUT)]:
        for view in each(page, in_turn(page, views, [*TRANSLATIONS, "en"]), home):
            torn = page.evaluate(TORN)
            page.evaluate(SCALE, 2)
            found |= gather([(view, torn + page.evaluate(OVERLAPPING))])
    assert not found


def test_every_theme_is_accessible(home, childs_phone, parents_phone):
    page, parent = childs_phone(), parents_phone()
    path, found = f"/family/children/{home.ids['mia']}", {}
    before = home.parent.call("GET", path, expect=200)["theme"]
    for theme in THEMES:
        home.parent.call("PATCH", path, {"theme": theme}, expect=200)
        for view in each(page, THEMED, home):
            expect(page.locator("html")).to_have_attribute("data-theme", theme.replace("standard", ""))
            found |= gather([(f"{theme} {view}", violations(page, COLOURS))])
        for view in each(parent, ["/family", path], home):
            found |= gather([(f"parent, {theme} {view}", violations(parent, COLOURS))])
    home.parent.call("PATCH", path, {"theme": before}, expect=200)
    assert not found
