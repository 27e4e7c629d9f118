"""Keyboard use of a page: Tab, Enter, Escape, and text input."""

import re

from playwright.sync_api import expect

from support.carrepsa import action, package_card
from support.pages import words
from support.patience import wait_until

TABS = re.compile("main sections", re.I)

# The largest number of Tab presses before the search for a target fails.
FARTHEST_STOPS = 90
SCROLLING_CHECKS = 56

# The focused element and the element that draws its ring: the element itself, a sibling (radio buttons drawn as tiles),
# or an ancestor.
FOCUS = """(target) => {
  const element = document.activeElement;
  if (!element || element === document.body) return null;
  const drawn = (style) => style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 1.5
    && !/rgba\\(.*, 0\\)|transparent/.test(style.outlineColor);
  const places = [element, element.nextElementSibling, element.parentElement, element.closest('label')].filter(Boolean);
  const parts = [null, '::before', '::after'];
  const ring = places.some((place) => parts.some((part) => drawn(getComputedStyle(place, part))));
  const stands = element.labels?.[0]?.matches('label:has(input[type=radio])') ? element.labels[0] : element;
  const box = stands.getBoundingClientRect();
  const seen = box.width > 1 && box.height > 1 && box.bottom > 0 && box.right > 0
    && box.top < innerHeight && box.left < innerWidth;
  const x = Math.min(innerWidth - 1, Math.max(0, box.left + box.width / 2));
  const y = Math.min(innerHeight - 1, Math.max(0, box.top + Math.min(box.height / 2, innerHeight / 4)));
  const top = document.elementFromPoint(x, y);
  const covered = seen && top && !(stands.contains(top) || top.contains(stands)
    || element.labels && [...element.labels].some((label) => label.contains(top)));
  return { html: element.outerHTML.slice(0, 160), ring, seen, covered, cover: covered && top.outerHTML.slice(0, 160),
    isTarget: element === target, isReplaced: target?.isConnected === false };
}"""


def button(page, name):
    return page.get_by_role("button", name=words(name))


def heading(page, name):
    return page.get_by_role("heading", name=words(name), level=1)


def row(page, name):
    """Returns the link of a row, by the start of its text."""
    return page.get_by_role("main").get_by_role("link", name=re.compile(f"^{name}", re.I)).first


def settled(page):
    """Waits until the page's scripts are loaded and keys have their effect."""
    expect(page.locator("html")).to_have_attribute("data-live", "open")


class Keyboard:
    """Moves through a page's tab stops and checks at each that the focus is visible."""

    def __init__(self, page):
        self.page = page

    def to(self, target):
        """Presses Tab until the target has the focus."""
        expect(target).to_be_visible()
        if self.has_focus(target):
            return self
        element = target.element_handle()
        passed = []
        for _ in range(FARTHEST_STOPS):
            self.page.keyboard.press("Tab")
            found = self.visible_focus(element)
            passed.append(found and found["html"][:40])
            # A live update may have replaced the element.
            if found and (found["isTarget"] or (found["isReplaced"] and self.has_focus(target))):
                return self
        raise AssertionError(f"not reached by Tab: {target}; passed {passed}")

    @staticmethod
    def has_focus(target):
        return target.evaluate("element => element === document.activeElement")

    def shows_focus(self):
        """Checks that the focused element is visible, and returns the beginning of its HTML."""
        found = self.visible_focus()
        return found and found["html"][:40]

    def visible_focus(self, target=None):
        """Checks that the focused element is in the viewport, has a visible ring, and is not covered."""
        found = self.page.evaluate(FOCUS, target)
        if found is None:  # between the last stop and the first
            return None
        # Smooth scrolling takes a moment, and longer on a busy computer.
        for _ in range(SCROLLING_CHECKS):
            if found["seen"] and not found["covered"]:
                break
            self.page.evaluate("() => new Promise(done => setTimeout(done, 50))")
            found = self.page.evaluate(FOCUS, target)
        assert found["ring"], f"nothing shows the focus: {found['html']}"
        assert found["seen"], f"the focus is off the screen: {found['html']}"
        assert not found["covered"], f"{found['cover']} lies over the focus: {found['html']}"
        return found

    def enter(self, target=None):
        """Presses Enter, on `target` if there is one."""
        if target is not None:
            self.to(target)
        self.page.keyboard.press("Enter")
        return self

    def escape(self):
        self.page.keyboard.press("Escape")
        return self

    def type(self, field, text):
        """Moves to a field and replaces its text."""
        self.to(field)
        if field.evaluate("element => Boolean(element.value) && element.type !== 'date'"):
            self.page.keyboard.press("ControlOrMeta+a")
        self.page.keyboard.type(text)
        return self

    def opens_and_escapes(self, opener, dialog):
        """Checks that Enter opens the dialog with the focus inside, and Escape closes it and returns the focus."""
        self.enter(opener)
        expect(dialog).to_be_visible()
        is_inside = dialog.evaluate("element => element.contains(document.activeElement)")
        assert is_inside, "the focus stayed behind the dialog"
        self.escape()
        expect(dialog).to_be_hidden()
        expect(opener).to_be_focused()
        return self

    def answer(self, label):
        """Confirms the open dialog. Its first tab stop is the cancel button."""
        # A dialog that is closing is still in the page.
        dialog = self.page.locator("dialog[open][role=alertdialog]")
        expect(dialog).to_be_visible()
        expect(dialog.locator("[data-no]")).to_be_focused()
        return self.enter(dialog.get_by_role("button", name=re.compile(f"^{re.escape(label)}$", re.I)))

    def goes(self, target, address):
        """Presses Enter on a link and expects the address."""
        settled(self.page)
        self.enter(target)
        expect(self.page).to_have_url(re.compile(address))
        settled(self.page)
        return self

    def confirms(self, pressed, yes=None):
        """Checks a confirmation: Escape cancels and returns the focus, the button named `yes` confirms."""
        question = self.page.get_by_role("alertdialog")
        self.opens_and_escapes(pressed, question)
        self.enter(pressed)
        return self.answer(yes or question.locator("[data-yes]").inner_text())

    def chooses(self, radio):
        """Selects a radio button with the arrow keys. Tab stops only at the selected button, or at the first or last
        one if none is selected."""
        form, name = radio.locator("xpath=ancestor::form"), radio.get_attribute("name")
        chosen, all_of_them = form.locator(f"input[name='{name}']:checked"), form.locator(f"input[name='{name}']")
        self.to(chosen if chosen.count() else all_of_them.first)
        for _ in range(FARTHEST_STOPS):
            if radio.is_checked():
                return self
            self.page.keyboard.press("ArrowRight")
            self.shows_focus()
        raise AssertionError(f"not reached by the arrows: {radio}")

    def keeps_focus(self):
        """Expects the page to have a focused element, even if the previous one was removed."""
        def is_somewhere():
            return self.page.evaluate(
                "() => document.activeElement !== document.body && document.activeElement.isConnected")

        wait_until(is_somewhere, 2, "the focus fell to nowhere", pause=lambda: self.page.wait_for_timeout(20))
        return self


def tab(page, name):
    return page.get_by_role("navigation", name=TABS).get_by_role("link", name=words(name))


def open_by_keys(keys, tab_name, title):
    page = keys.page
    keys.enter(tab(page, tab_name))
    expect(package_card(page, title)).to_be_visible()
    settled(page)
    keys.enter(package_card(page, title).get_by_role("link", name=words(title)))
    expect(page.get_by_role("heading", name=title).first).to_be_visible()
    settled(page)


def do_by_keys(keys, label):
    """Presses Enter on a button, and confirms its dialog if it has one."""
    page = keys.page
    address = page.url
    pressed = action(page, label).first
    asks = pressed.evaluate("button => button.form.hasAttribute('data-confirm')")
    if asks:
        keys.opens_and_escapes(pressed, page.get_by_role("alertdialog"))
        assert page.url == address
    keys.enter(pressed)
    if asks:
        keys.answer(page.locator("dialog[open] [data-yes]").inner_text())
    expect(page).not_to_have_url(address)


def choose_from_menu(keys, choice):
    """Opens the plus menu and selects a choice."""
    page = keys.page
    plus = page.locator("header a.bar-icon")
    menu = page.locator("dialog.actions[open]")
    keys.opens_and_escapes(plus, menu)
    keys.enter(plus)
    expect(menu).to_be_visible()
    keys.enter(menu.get_by_role("link", name=words(choice)).or_(menu.get_by_role("button", name=words(choice))))
