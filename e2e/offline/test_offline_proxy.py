"""Offline behind a reverse proxy or the sign-in page of a network, which respond in the server's place."""

import pytest
from playwright.sync_api import expect

from support.offline import (
    add_offline,
    go_offline,
    go_online,
    is_kept,
    names,
    open_waiting,
    proxied_server,
    see,
    waits,
    with_worker,
)
from support.pages import name_field, save, sign_in_by_form
from support.server import Person

pytestmark = pytest.mark.service_worker

SEND = "() => homewardQueue.send(document.body.dataset.person)"
MAINTENANCE = (200, b"<!doctype html><title>Back soon</title>")
# Browsers hide its status from scripts. Tests/ScriptTests has the other answers.
REDIRECT = (302, b"")


def test_changes_survive_responses_of_a_proxy(phone):
    with proxied_server() as (server, proxy):
        someone = Person(server)
        page = phone(server)
        sign_in_by_form(page, someone)
        with_worker(page)
        see(page, "/tracking/items")
        is_kept(page, "/tracking/items/new")
        go_offline(page)
        add_offline(page, "Umbrella")
        waits(page, 1)
        for answer in (MAINTENANCE, REDIRECT):
            proxy.own_answer = answer
            go_online(page)
            outcome = page.evaluate(SEND)
            assert outcome == {"sent": 0, "stopped": "intercepted"}, answer
            waits(page, 1)
            go_offline(page)
        # A try without a connection would be the last reason.
        go_online(page)
        assert page.evaluate(SEND)["stopped"] == "intercepted"
        sheet = open_waiting(page)
        expect(sheet).to_contain_text("Something other than Homeward responded")
        page.keyboard.press("Escape")
        proxy.own_answer = None
        page.evaluate(SEND)
        waits(page, 0)
        assert names(someone) == ["Umbrella"]

        # A form that is sent while the proxy answers is kept, too.
        page.goto("/tracking/items/new")
        name_field(page).fill("Kite")
        proxy.own_answer = MAINTENANCE
        save(page)
        # The form is closed, and the proxy's page is shown in the place of the list.
        expect(page).to_have_title("Back soon")
        proxy.own_answer = None
        page.goto("/tracking/items")
        waits(page, 0)
        assert names(someone) == ["Kite", "Umbrella"]
