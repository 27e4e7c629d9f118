"""Texts with combining marks after the signs of HTML stay texts, and htmx ignores texts that people enter."""

import re
from urllib.parse import quote

import pytest
from playwright.sync_api import expect

from support.households import Home
from support.parcels import act, post

MARKS = ["\u0301", "\ufe0f", "\u200d", "\u0903"]
EMAIL = "mallory@example.org"


def attack(mark):
    """Would be htmx attributes that change the email at once, if the quotation mark ended the attribute it is printed in."""
    return f'x"{mark} hx-patch="/account" hx-vals=\'{{"email":"{EMAIL}"}}\' hx-trigger="load" smuggled="{mark}'


def reward(mark):
    """The same as the element of a list would need it."""
    return f'<{mark}b>"{mark} hx-patch=/account hx-trigger=load \'{mark}&{mark}'


@pytest.fixture
def changes(server):
    """Notes each request of a page that would change something."""
    noted = []

    def watch(page):
        page.on("request", lambda request: noted.append(request.url) if request.method not in ("GET", "HEAD") else None)
        return page

    yield watch
    assert not noted, noted


def has_no_attributes_of_the_text(page):
    # Then htmx has read the page.
    expect(page.locator("html")).to_have_attribute("data-live", "open")
    assert page.locator("[hx-patch], [smuggled], [hx-vals]").count() == 0


@pytest.mark.parametrize("mark", MARKS)
def test_a_search_in_a_link_changes_no_account(person, sign_in, changes, mark):
    someone = person(phone="+49 151 5550100")
    page = changes(sign_in(someone))
    page.goto(f"/carrepsa/packages?from={quote(attack(mark))}")
    expect(page.locator("#filter-from")).to_have_value(attack(mark))
    has_no_attributes_of_the_text(page)
    assert someone.call("GET", "/account")["email"] == someone.email


@pytest.mark.parametrize("mark", MARKS)
def test_a_stored_title_changes_no_account_of_its_readers(village, sign_in, changes, mark):
    olga, karl = village.neighbour("Olga"), village.neighbour("Karl")
    title = f"Lamp{reward(mark)}"
    package = post(olga, title)
    page = changes(sign_in(karl))
    for path in ("/carrepsa/packages", f"/carrepsa/packages/{package['id']}"):
        page.goto(path)
        expect(page.get_by_text(title, exact=True).first).to_be_attached()
        has_no_attributes_of_the_text(page)
    assert karl.call("GET", "/account")["email"] == karl.email


@pytest.mark.parametrize("mark", MARKS[:1])
def test_stored_names_and_rewards_change_no_account_of_their_readers(server, sign_in, changes, mark):
    home = Home(server, f"Ada\"{mark} smuggled=1", reward=f"{reward(mark)} ")
    home.parent.add_item(f"Bag{attack(mark)[:40]}")
    page = changes(sign_in(home.parent))
    for path in ("/family", f"/family/children/{home.ids['mia']}", f"/family/children/{home.ids['mia']}/contracts",
                 "/tracking/items", "/account"):
        page.goto(path)
        has_no_attributes_of_the_text(page)
    assert home.parent.call("GET", "/account")["email"] == home.parent.email


# Attributes that hold a text as it is. Addresses hold it percent encoded; labels and questions are sentences of ours on elements
# that act; the titles for the bar are on the element that htmx itself works on.
TEXTS = ["value", "placeholder", "title", "alt", "content"]
FIND = """([texts, attributes]) => {
    const found = []
    const note = (element, where) => {
        if (!element.closest('[hx-disable]')) found.push(`${where} of ${element.cloneNode().outerHTML}`)
    }
    const holds = text => texts.some(one => text.includes(one))
    for (const element of document.body.querySelectorAll('*')) {
        for (const {name, value} of element.attributes) {
            if (holds(value) && attributes.includes(name) && element.type !== 'hidden') note(element, name)
        }
        for (const child of element.childNodes) {
            if (child.nodeType === Node.TEXT_NODE && holds(child.nodeValue)) note(element, 'text')
        }
    }
    return found
}"""


def test_htmx_is_off_around_texts_of_people(server, village, sign_in):
    marker = "Zq"
    home = Home(server, f"{marker}Ada", children=(f"{marker}Mia", f"{marker}Ben", f"{marker}Zoe"),
                chores=[f"{marker}Chore {number}" for number in range(6)], reward=f"{marker}Reward ")
    item = home.parent.add_item(f"{marker}Bag")
    olga, karl = village.neighbour(f"{marker}Olga"), village.neighbour(f"{marker}Karl")
    package = post(olga, f"{marker}Lamp", **{"from": f"{marker}Aachen", "to": f"{marker}Bonn", "description": f"{marker}Heavy"})
    offered = post(olga, f"{marker}Chair")
    act(karl, package, "acceptance")
    mia = home.ids["mia"]
    views = {
        home.parent: ["/family", f"/family/children/{mia}", f"/family/children/{mia}/contracts", "/family/account",
                      f"/family/children/{mia}/assignments/new", f"/family/children/{mia}/edit",
                      "/tracking/items", f"/tracking/items/{item['id']}", f"/tracking/items/{item['id']}/edit"],
        karl: ["/carrepsa/packages", f"/carrepsa/packages/{package['id']}", f"/carrepsa/packages/{offered['id']}",
               f"/carrepsa/people/{olga.id}", "/carrepsa/packages?role=carrier", f"/carrepsa/packages?from={marker}Aachen"],
    }
    found = {}
    shown = 0
    for someone, paths in views.items():
        page = sign_in(someone)
        for path in paths:
            page.goto(path)
            shown += page.get_by_text(re.compile(marker)).count()
            for place in page.evaluate(FIND, [[marker], TEXTS]):
                found.setdefault(place[:300], path)
    assert shown > 30
    assert not found, "\n".join(f"{path}: {place}" for place, path in found.items())
