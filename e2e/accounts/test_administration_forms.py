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


@pytest.mark.spec("H-05", "H-15")
def test_payments_are_confirmed_and_survive_an_expired_proof(administrator, ben, sign_in):
    page = sign_in(administrator)
    # A list that updates keeps its search.
    for path, name in ("/admin/people", "people"), ("/admin/wallets", "wallets"):
        page.goto(path)
        page.get_by_label("Name, email or ID").fill("ben wallet")
        expect(page.locator(f"#{name}").get_by_role("link")).to_have_count(1)
        with page.expect_response(re.compile(f"{path}\\?search=ben%20wallet")):
            page.locator(f"#{name}").dispatch_event("hw:refresh")
        expect(page.locator(f"#{name}").get_by_role("link")).to_have_count(1)
    page.get_by_role("link", name=re.compile("Ben Wallet")).click()
    expect(page.get_by_role("heading", name="Ben Wallet", level=1)).to_be_visible()
    expect(page.get_by_role("button", name="Top up")).to_have_count(0)
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
    expect(page.get_by_text("€12.50 topped up")).to_be_visible()
    assert ben.call("GET", "/carrepsa/wallet")["balance"] == 1250
    page.get_by_label("Amount").fill("2.50")
    page.get_by_label("What it is for").fill("Cash back")
    page.get_by_role("button", name="Pay out").click()
    question = page.get_by_role("alertdialog")
    expect(question).to_contain_text(re.compile(r"Pay 2\.50\sEUR out of Ben Wallet’s wallet\?"))
    question.get_by_role("button", name=words("Cancel")).click()
    expect(question).to_have_count(0)
    assert ben.call("GET", "/carrepsa/wallet")["balance"] == 1250
    page.get_by_role("button", name="Pay out").click()
    question.get_by_role("button", name=words("Pay out")).click()
    expect(toast(page, "Paid out")).to_be_visible()
    assert ben.call("GET", "/carrepsa/wallet")["balance"] == 1000
