"""The views that offer sign-in providers, and their layout."""

import re

from support.layout_checks import SMALL, check, flaws
from support.other_services import (
    NAMES,
    button,
    provider,
    provider_server,
    provider_servers,
)
from support.server import Person
from support.views import LINKED, LINKED_POSTED, addresses, post


def test_provider_buttons_are_below_the_login_button(engine, provider_server, phone):
    page = phone(provider_server, viewport={"width": 320, "height": 700})
    page.goto("/sign-in")
    login = page.get_by_role("button", name=re.compile("^sign in$", re.I)).bounding_box()
    boxes = {name: button(page, name).bounding_box() for name in NAMES}
    middles = {name: box["x"] + box["width"] / 2 for name, box in boxes.items()}
    assert all(boxes[name]["y"] >= login["y"] + login["height"] for name in boxes)
    assert middles["apple"] < 320 / 3 < middles["google"] < 320 * 2 / 3 < middles["facebook"]
    assert boxes["apple"]["y"] == boxes["google"]["y"] == boxes["facebook"]["y"]
    assert boxes["oidc"]["y"] >= boxes["google"]["y"] + boxes["google"]["height"]
    assert all(box["width"] >= 44 and box["height"] >= 44 for box in boxes.values())
    assert page.evaluate("document.documentElement.scrollWidth") <= 320


def test_provider_views_are_accessible_and_fit_a_small_phone(provider_servers, phone, sign_in):
    server = provider_servers("sqlite")
    ada = Person(server)
    problems = {}

    def look(page, view):
        if found := flaws(page):
            problems[view] = found

    signed_out, page = phone(server, viewport=SMALL), sign_in(ada, viewport=SMALL)
    for view in addresses(LINKED):
        # Signed out, the settings lead to the page for signing in, which is one of the views.
        viewer = page if view.startswith("/account") else signed_out
        check(viewer, view)
        look(viewer, view)
    for template, (start, action, fields) in LINKED_POSTED.items():
        post(page, start, action, {**fields, "password": ada.password} if "password" in fields else fields)
        look(page, template)
    assert not problems
