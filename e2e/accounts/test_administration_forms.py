"""What administrators type, search and confirm."""

import re

import pytest
from playwright.sync_api import expect

from support.administrators import administrator_of, give_proof
from support.layout_checks import flaws
from support.pages import toast, words
from support.server import Person
from support.stored_clock import StoredClock


class Clock(StoredClock):
    """Advances a server's clock by making the stored proofs older."""

    def age_proofs(self, seconds):
        assert self._change("UPDATE proof SET expires_at = expires_at - ?", seconds * 1000)


@pytest.fixture
def administrator(own_server):
    return administrator_of(own_server())


@pytest.fixture
def ben(administrator):
    ben = Person(administrator.server, "Ben Wallet")
    ben.call("PATCH", "/account", {"phone": "+4930123456"}, expect=200)
    return ben


def top_up(page):
    page.get_by_role("button", name="Top up").click()
    question = page.get_by_role("alertdialog")
    expect(question).to_contain_text(re.compile(r"Add 1\d+(\.\d+)?\sEUR to Ben Wallet’s wallet\?"))
    question.get_by_role("button", name="Top up").click()


@pytest.mark.spec("H-15")
def test_an_expired_proof_keeps_a_typed_payment(administrator, ben, sign_in):
    page = sign_in(administrator)
    page.goto(f"/admin/wallets/{ben.id}")
    give_proof(page, administrator)
    page.get_by_label("Amount").fill("12.50")
    page.get_by_label("What it is for").fill("Cash at the market")
    Clock(administrator.server).age_proofs(601)
    top_up(page)
    expect(page.get_by_role("button", name="Top up")).to_have_count(0)
    expect(page.get_by_label("Amount")).to_have_value("12.50")
    assert flaws(page) == []
    # The link asks no question, because nothing is discarded.
    give_proof(page, administrator)
    expect(page.get_by_label("Amount")).to_have_value("12.50")
    expect(page.get_by_label("What it is for")).to_have_value("Cash at the market")
    top_up(page)
    expect(toast(page, "Topped up")).to_be_visible()
    assert ben.call("GET", "/carrepsa/wallet")["balance"] == 1250


@pytest.mark.spec("H-15")
def test_a_payment_out_names_amount_and_person_before_it_moves_money(administrator, ben, sign_in):
    page = sign_in(administrator)
    page.goto(f"/admin/wallets/{ben.id}")
    give_proof(page, administrator)
    page.get_by_label("Amount").fill("100")
    page.get_by_label("What it is for").fill("Cash")
    top_up(page)
    expect(toast(page, "Topped up")).to_be_visible()
    page.get_by_label("Amount").fill("2.50")
    page.get_by_label("What it is for").fill("Cash back")
    page.get_by_role("button", name="Pay out").click()
    question = page.get_by_role("alertdialog")
    expect(question).to_contain_text(re.compile(r"Pay 2\.50\sEUR out of Ben Wallet’s wallet\?"))
    question.get_by_role("button", name=words("Cancel")).click()
    expect(question).to_have_count(0)
    assert ben.call("GET", "/carrepsa/wallet")["balance"] == 10000
    page.get_by_role("button", name="Pay out").click()
    page.get_by_role("alertdialog").get_by_role("button", name=words("Pay out")).click()
    expect(toast(page, "Paid out")).to_be_visible()
    assert ben.call("GET", "/carrepsa/wallet")["balance"] == 9750
    payment = {"kind": "top_up", "amount": 100, "note": "Cash"}
    refused = administrator.call("POST", f"/admin/wallets/{ben.id}/payments", payment, expect=422)
    assert "idempotencyKey" in refused["error"]["fields"]
    assert ben.call("GET", "/carrepsa/wallet")["balance"] == 9750


@pytest.mark.spec("H-17")
def test_an_expired_proof_keeps_typed_limits(administrator, ben, sign_in):
    page = sign_in(administrator)
    page.goto(f"/admin/storage/{ben.id}")
    give_proof(page, administrator)
    page.get_by_label("Maximum number of photos").fill("12")
    Clock(administrator.server).age_proofs(601)
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("button", name="Save")).to_have_count(0)
    give_proof(page, administrator)
    expect(page.get_by_label("Maximum number of photos")).to_have_value("12")
    page.get_by_role("button", name="Save").click()
    expect(toast(page, "Saved")).to_be_visible()
    expect(page.get_by_text("0 of 12", exact=True)).to_be_visible()


@pytest.mark.spec("H-05", "H-15")
def test_a_list_that_updates_keeps_its_search(administrator, ben, sign_in):
    page = sign_in(administrator)
    for path, name in ("/admin/people", "people"), ("/admin/wallets", "wallets"):
        page.goto(path)
        page.get_by_label("Name, email or ID").fill("ben wallet")
        expect(page.locator(f"#{name}").get_by_role("link")).to_have_count(1)
        with page.expect_response(re.compile(f"{path}\\?search=ben%20wallet")):
            page.locator(f"#{name}").dispatch_event("hw:refresh")
        expect(page.locator(f"#{name}").get_by_role("link")).to_have_count(1)


@pytest.mark.spec("H-01", "H-09")
def test_a_new_server_lists_its_next_steps_until_they_are_done(own_server, sign_in, tmp_path):
    server = own_server()
    administrator = administrator_of(server)
    page = sign_in(administrator)
    page.goto("/admin")
    steps = page.locator("#next-steps").get_by_role("link")
    texts = ("Set up mail", "Set up backups", "Invite people", "Write payment instructions")
    expect(steps).to_have_text([re.compile(text) for text in texts])
    assert flaws(page) == []
    steps.filter(has_text="Invite people").click()
    page.get_by_role("button", name=words("Create an invitation")).click()
    expect(page.locator("#invitation-link")).to_be_visible()
    written = server.command("backup", str(tmp_path / "all.homeward"))
    assert written.returncode == 0, written.stderr
    page.goto("/admin")
    expect(steps).to_have_text([re.compile("Set up mail"), re.compile("Write payment instructions")])
    assert administrator.call("GET", "/admin")["nextSteps"] == ["mail", "payments"]


@pytest.mark.spec("H-08")
def test_the_administration_keeps_tabs_and_colours_of_the_app(administrator, sign_in):
    administrator.call("PATCH", "/account", {"phone": "+4930123456"}, expect=200)
    page = sign_in(administrator)
    page.goto("/carrepsa/profile")
    page.goto("/account")
    page.get_by_role("link", name=re.compile("Administration")).click()
    expect(page.get_by_role("heading", name="Administration", level=1)).to_be_visible()
    expect(page.locator("html")).to_have_attribute("data-app", "carrepsa")
    current = page.get_by_role("navigation", name="Main sections").locator("[aria-current=page]")
    expect(current).to_have_attribute("href", "/carrepsa/profile")
    page.get_by_role("link", name=re.compile("Checks")).click()
    expect(page.locator("html")).to_have_attribute("data-app", "carrepsa")
    expect(page.get_by_text("No problems were found.")).to_be_visible()
