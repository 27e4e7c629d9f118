"""The common parts of all apps' pages: bar, tabs, the list beside the details, and the scroll position after a
change."""

import re

import pytest
from playwright.sync_api import expect

from support.carrepsa import act, post
from support.family_phones import childs_phone, each, home, parents_phone
from support.layout_checks import DOUBLED, SMALL, come_to_rest
from support.pages import until, words

PHONE = {"width": 390, "height": 844}
WIDE = {"width": 1280, "height": 800}

# Whether the large title shows through the bar at the back link.
SHINES_THROUGH = """() => {
  const back = document.querySelector('.bar-back').getBoundingClientRect();
  const range = document.createRange();
  range.selectNodeContents(document.querySelector('.head .title'));
  const isThere = [...range.getClientRects()].some((part) => part.left < back.right && back.left < part.right
    && part.top < back.bottom && back.top < part.bottom);
  const [, , , alpha = '1'] = getComputedStyle(document.querySelector('.bar')).backgroundColor.match(/[\\d.]+/g);
  return isThere && Number(alpha) < 1;
}"""


@pytest.mark.parametrize("scale", [1, 2])
def test_two_line_title_never_overlaps_the_back_link(person, sign_in, engine, scale):
    someone = person()
    item = someone.add_item("Grandmother's enormous leather travelling bag")
    someone.report(someone.add_osmand_tracker(item), 50.7753, 6.0839)
    page = sign_in(someone, viewport=PHONE)
    if scale == 2:
        page.add_init_script(DOUBLED)
    page.goto(f"/tracking/items/{item['id']}")
    page.locator(".map [data-marker-at]").wait_for()
    for top in range(0, 200, 10):
        page.evaluate("(top) => scrollTo({ top, behavior: 'instant' })", top)
        until(page, "(top) => Math.abs(scrollY - top) < 1", top)
        page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        assert not page.evaluate(SHINES_THROUGH), f"scrolled by {top}"


def is_seen(page, locator):
    """Whether the whole element is visible between bar and tabs."""
    box, tabs = locator.bounding_box(), page.locator(".tabs").bounding_box()
    bar = page.locator(".bar").bounding_box()
    return box["y"] >= bar["y"] + bar["height"] and box["y"] + box["height"] <= tabs["y"]


def test_handover_code_is_fully_visible(carrepsa, sign_in, engine):
    owner, carrier = carrepsa.add_person("Mia"), carrepsa.add_person("Ben")
    package = post(owner, "Bike helmet", description="Ring at the second door, please. " * 8)
    act(carrier, package, "acceptance")
    page = sign_in(carrier, viewport=PHONE)
    page.goto(f"/carrepsa/packages/{package['id']}")
    page.locator("form[action$='/handover-codes'] button").first.click()
    for part in (page.locator("figure.qr"), page.locator("output.code")):
        expect(part).to_be_visible()
        until(page, "() => document.querySelector('output.code').getBoundingClientRect().bottom < innerHeight")
        assert is_seen(page, part)


def test_tap_of_a_child_keeps_the_scroll_position(home, childs_phone, engine):
    page = childs_phone(viewport=SMALL)
    page.goto(f"/family/children/{home.ids['mia']}")
    chore = page.locator(".my-chore-button:not([disabled])").last
    name = chore.locator(".my-chore-name").inner_text()
    chore.scroll_into_view_if_needed()
    until(page, "() => scrollY > 200")
    before = page.evaluate("scrollY")
    with page.expect_event("load"):
        chore.click()
    asked = page.locator(".my-chore.is-waiting", has_text=name)
    expect(asked).to_be_in_viewport()
    until(page, "(before) => Math.abs(scrollY - before) < 60", before)


def test_wide_screens_keep_the_search_beside_the_open_package(carrepsa, sign_in, engine):
    owner, carrier = carrepsa.add_person("Mia"), carrepsa.add_person("Ben")
    for title, start in (("Bike helmet", "Quakenbrück"), ("Kettle", "Bonn"), ("Footstool", "Quakenbrück")):
        post(owner, title, **{"from": start})
    page = sign_in(carrier, viewport=WIDE, is_mobile=False)
    page.goto("/carrepsa/packages")
    page.get_by_label("From").fill("Quakenbr")
    expect(page).to_have_url(re.compile("from=Quakenbr"))
    expect(page.get_by_role("link", name="Kettle")).to_have_count(0)
    page.get_by_role("link", name="Bike helmet").first.click()
    expect(page.get_by_role("heading", name="Bike helmet", level=1)).to_be_visible()
    pane = page.locator("[data-pane-list]")
    expect(pane.get_by_label("From")).to_have_value("Quakenbr")
    expect(pane.get_by_text("Footstool")).to_be_visible()
    expect(pane.get_by_text("Kettle")).to_have_count(0)
    open_row = pane.locator(".is-current")
    expect(open_row).to_contain_text("Bike helmet")
    # A row added without a reload doesn't remove the mark of the open row.
    post(owner, "Toolbox", **{"from": "Quakenbrück"})
    expect(pane.get_by_text("Toolbox")).to_be_visible()
    expect(open_row).to_contain_text("Bike helmet")
    # The search runs in the pane, and the page stays.
    address = page.url
    pane.get_by_label("From").fill("Bonn")
    expect(pane.get_by_text("Kettle")).to_be_visible()
    expect(pane.get_by_text("Footstool")).to_have_count(0)
    assert page.url == address


def test_tab_labels_stay_visible_in_large_text(carrepsa, sign_in, engine):
    page = sign_in(carrepsa.add_person("Mia"), viewport={"width": 320, "height": 740})
    page.add_init_script(DOUBLED)
    for path in ("/carrepsa/packages", "/carrepsa/packages/new"):
        page.goto(path)
        if not page.locator(".tabs").count():
            continue
        boxes = page.locator(".tab").evaluate_all("""(tabs) => tabs.map((tab) => {
          const label = tab.querySelector('.tab-label'), range = document.createRange();
          range.selectNodeContents(label);
          const box = range.getBoundingClientRect(), around = tab.getBoundingClientRect();
          return {
            words: label.textContent, isCut: getComputedStyle(label).clipPath !== 'none',
            left: box.left, right: box.right, top: box.top, bottom: box.bottom, width: box.width,
            within: box.left >= around.left - 1 && box.right <= around.right + 1,
          };
        })""")
        assert len(boxes) == 5
        for box in boxes:
            assert not box["isCut"] and box["within"] and box["width"] > 20 and box["bottom"] <= 740, box
        page.evaluate("() => scrollTo({ top: document.documentElement.scrollHeight, behavior: 'instant' })")
        last = page.locator(".main > :visible").last.bounding_box()
        assert last["y"] + last["height"] <= page.locator(".tabs").bounding_box()["y"]


def test_the_search_has_no_stray_line_on_a_small_phone(carrepsa, sign_in, engine):
    page = sign_in(carrepsa.add_person("Mia"), viewport=SMALL)
    page.goto("/carrepsa/packages")
    edges = page.locator(".way-ends").evaluate("""(box) => {
      const { left, top } = box.getBoundingClientRect();
      return [...box.children].map((field) => {
        const { left: x, top: y } = field.getBoundingClientRect(), style = getComputedStyle(field);
        return { isLineAtLeft: x >= left && x < left + 2 && parseFloat(style.borderLeftWidth) > 0,
          isLineAtTop: y >= top && y < top + 2 && parseFloat(style.borderTopWidth) > 0 };
      });
    }""")
    assert not [edge for edge in edges if edge["isLineAtLeft"] or edge["isLineAtTop"]], edges


def test_focus_returns_to_its_origin_after_assigning(home, parents_phone, engine):
    page = parents_phone()
    page.goto(f"/family/children/{home.ids['mia']}")
    plus = page.locator("header a.bar-icon")
    plus.focus()
    page.keyboard.press("Enter")
    page.locator("dialog[open] a[data-sheet=assign]").click()
    sheet = page.locator("dialog#assign")
    expect(sheet).to_be_visible()
    come_to_rest(page)
    sheet.locator(".family-choice-label:not(.no-js-only)").first.click()
    with page.expect_event("load"):
        sheet.get_by_role("button", name=words("Assign")).click()
    expect(page.locator("dialog[open]")).to_have_count(0)
    expect(plus).to_be_focused()


# Counts such as "10 of 10" that take more than one line.
SPLIT_COUNTS = """() => {
  const counts = [], walker = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    for (const match of walker.currentNode.data.matchAll(/\\d+\\s(of|von)\\s\\d+/g)) {
      const range = document.createRange();
      range.setStart(walker.currentNode, match.index);
      range.setEnd(walker.currentNode, match.index + match[0].length);
      const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
      if (lines.size > 0) counts.push({ words: match[0], lines: lines.size });
    }
  }
  return counts;
}"""


@pytest.mark.parametrize("scale", [1, 2])
def test_counts_never_wrap(home, parents_phone, childs_phone, engine, scale):
    counts = {}
    for open_phone, views in ((parents_phone, ["/family", "/family/children/{mia}"]),
                              (childs_phone, ["/family", "/family/children/{mia}"])):
        page = open_phone(viewport={"width": 320, "height": 740})
        if scale == 2:
            page.add_init_script(DOUBLED)
        for view in each(page, views, home):
            counts[open_phone.__qualname__, view] = page.evaluate(SPLIT_COUNTS)
    assert all(counts.values()), f"every one of these views has a count: {counts}"
    assert not [count for found in counts.values() for count in found if count["lines"] > 1], counts
