"""Money in and out: the administrator's instructions, the code for a transfer, and payout requests."""

import re

import pytest
from playwright.sync_api import expect

from support.administrators import administrator_of, give_proof, prove_by_request
from support.carrepsa import field, post
from support.codes import seen_in
from support.layout_checks import flaws
from support.pages import toast, until, words

IBAN = "DE89 3704 0044 0532 0130 00"


@pytest.fixture
def administrator(server):
    return administrator_of(server)


def feed(person):
    return [entry["body"] for entry in person.call("GET", "/notifications", expect=200)["items"]
            if entry["kind"] in ("payoutRequest", "walletPayment")]


@pytest.mark.spec("C-15")
def test_a_small_balance_leads_to_the_way_to_top_up(administrator, engine, carrepsa, sign_in):
    prove_by_request(administrator)
    administrator.call("PUT", "/admin/payment-instructions", {
        "topUpText": "By transfer.\nOr in cash on Mondays.", "accountHolder": "Neighbours", "iban": IBAN}, expect=200)
    ada, ben = carrepsa.add_person("Ada"), carrepsa.add_person("Ben")
    package = post(ada, moneyLock=20_000)
    reader = sign_in(ben)
    reader.goto(f"/carrepsa/packages/{package['id']}")
    expect(reader.get_by_text("insufficient for the deposit")).to_be_visible()
    reader.get_by_role("link", name=words("How to top up")).click()
    expect(reader.get_by_role("heading", level=1)).to_have_text("Money in and out")
    expect(reader.get_by_text("Or in cash on Mondays.")).to_be_visible()
    reference = reader.locator("#reference").inner_text()
    assert re.fullmatch(r"HW-[0-9A-Z]{4}-[0-9A-Z]{4}", reference)
    code = seen_in(reader.get_by_role("img", name=words("QR code for a bank transfer")))
    assert code.split("\n") == ["BCD", "002", "1", "SCT", "", "Neighbours", IBAN.replace(" ", ""), "", "", "",
                                reference]
    assert flaws(reader) == []


@pytest.mark.spec("C-02")
def test_money_that_arrives_reaches_the_open_form(engine, carrepsa, sign_in):
    ada = carrepsa.add_person("Ada")
    package = post(ada, reward=9_500)
    page = sign_in(ada)
    page.goto("/carrepsa/packages/new")
    until(page, "() => document.documentElement.dataset.live === 'open'")
    field(page, "Title").fill("Floor lamp")
    reward = field(page, "Reward")
    reward.fill("12")
    too_little = page.get_by_text("Not enough money. Your balance is €5.00.")
    expect(too_little).to_be_visible()
    ada.call("DELETE", f"/carrepsa/packages/{package['id']}", expect=204)
    expect(too_little).to_have_count(0)
    expect(page.get_by_text("You have €100.00.")).to_be_visible()
    expect(page.locator("#request-delivery")).not_to_have_attribute("aria-disabled", "true")
    expect(reward).to_have_value("12")
    expect(field(page, "Title")).to_have_value("Floor lamp")


@pytest.mark.spec("C-16", "C-17")
def test_a_payout_is_requested_and_paid(administrator, engine, carrepsa, sign_in):
    ada = carrepsa.add_person("Ada")
    prove_by_request(administrator)
    administrator.call("POST", f"/admin/wallets/{ada.id}/payments", {
        "kind": "top_up", "amount": 5_000, "note": "Cash"}, expect=201, headers={"Idempotency-Key": ada.id})
    page = sign_in(ada)
    page.goto("/carrepsa/wallet/entries")
    expect(page.locator("#payable")).to_contain_text("€50.00 can be paid out")
    page.get_by_role("link", name=re.compile("^Money in and out")).click()
    amount, destination = page.get_by_label(words("Amount")), page.get_by_label(words("How you want the money"))
    amount.fill("40")
    destination.fill(f"Ada, {IBAN}")
    page.get_by_role("button", name=words("Ask for a payout")).click()
    expect(toast(page, "Payout requested")).to_be_visible()
    expect(page.locator("#open-request")).to_contain_text("Waits for the administrator")
    expect(page.locator("#payout-form")).to_have_count(0)
    assert flaws(page) == []
    assert ada.call("GET", "/carrepsa/wallet", expect=200)["balance"] == 15_000
    assert feed(administrator)[0] == "Ada asks to be paid €40.00. Pay it, record it, or decline it."

    desk = sign_in(administrator)
    desk.goto("/admin/payout-requests")
    assert flaws(desk) == []
    desk.get_by_role("link", name=re.compile("Ada")).last.click()
    expect(desk.locator("#payout-request")).to_contain_text(IBAN)
    give_proof(desk, administrator)
    form = desk.locator("#payment-form")
    expect(form.get_by_label("Amount")).to_have_value("40.00")
    expect(form.get_by_role("button")).to_have_text(["Pay out"])
    form.get_by_label("What it is for").fill("Transfer")
    until(page, "() => document.documentElement.dataset.live === 'open'")
    desk.get_by_role("button", name="Pay out").click()
    desk.get_by_role("alertdialog").get_by_role("button", name="Pay out").click()
    expect(toast(desk, "Paid out")).to_be_visible()
    expect(page.locator("#past-requests")).to_contain_text("€40.00 · Paid out")
    assert feed(ada)[0] == "€40.00 was paid out of your wallet: Transfer"
