"""A new version of the app is offered, and never interrupts typing."""

import pytest
from playwright.sync_api import expect

from support.offline import LONG, proxied_server, with_worker
from support.pages import name_field, toast, until, words
from support.server import Person

pytestmark = pytest.mark.service_worker

LOOK = "() => navigator.serviceWorker.getRegistration().then((one) => one.update()).then(() => true)"


def test_update_is_offered_and_not_forced(sign_in):
    with proxied_server() as (server, proxy):
        someone = Person(server)
        page = with_worker(sign_in(someone))
        page.goto("/tracking/items/new")
        name_field(page).fill("Half a na")
        proxy.worker_suffix = "\n// the next version\n"
        page.evaluate(LOOK)
        offer = toast(page, "There is a new version.")
        expect(offer).to_be_visible(timeout=LONG)
        expect(name_field(page)).to_have_value("Half a na")
        # A tap hides the offer until the next launch. The settings always show it.
        offer.get_by_text("There is a new version.").click()
        expect(offer).to_have_count(0)
        asked = []
        page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.accept()))
        page.goto("/account")
        expect(page.get_by_role("button", name="There is a new version.")).to_be_visible(timeout=LONG)
        expect(offer).to_have_count(0)
        page.goto("/tracking/items/new")
        until(page, "() => navigator.serviceWorker.getRegistration().then((one) => Boolean(one.waiting))")
        expect(offer).to_have_count(0)
        # Like the start of the next launch.
        page.evaluate("() => sessionStorage.clear()")
        page.reload()
        expect(offer).to_be_visible(timeout=LONG)
        # The input is kept, so the browser doesn't warn.
        name_field(page).fill("Half a name")
        asked.clear()
        with page.expect_event("load", timeout=LONG):
            offer.get_by_role("button", name=words("Reload")).click()
        assert asked == []
        expect(name_field(page)).to_have_value("Half a name")
        expect(toast(page, "There is a new version.")).to_have_count(0)
        assert page.evaluate("() => navigator.serviceWorker.getRegistration().then((one) => !one.waiting)")
        # The next version is installed from the settings.
        proxy.worker_suffix = "\n// the one after it\n"
        page.goto("/account")
        page.evaluate(LOOK)
        row = page.get_by_role("button", name="There is a new version.")
        expect(row).to_be_visible(timeout=LONG)
        with page.expect_event("load", timeout=LONG):
            row.click()
        until(page, "() => navigator.serviceWorker.getRegistration().then((one) => !one.waiting)")
        expect(row).to_be_hidden()
