"""The recipient of a package: their page without an account, their code, and their refusal."""

import re

import pytest
from playwright.sync_api import expect

from support.carrepsa import LOCK, REWARD, START, act, do, field, post, state
from support.layout_checks import flaws
from support.pages import toast, words

SOON = 15_000  # the recipient's page asks every ten seconds


def ask_again(page):
    """Lets the time pass after which the recipient's open page asks the server."""
    page.clock.fast_forward(10_000)


@pytest.fixture
def recipient(server, phone):
    """The browser of a recipient, whose clock the test advances."""
    page = phone(server)
    page.clock.install()
    return page


@pytest.mark.spec("C-18", "C-19")
def test_the_recipient_follows_the_package_and_proves_its_delivery(engine, carrepsa, sign_in, recipient):
    ada, ben = carrepsa.add_person("Ada"), carrepsa.add_person("Ben")
    package = post(ada)
    address = f"/carrepsa/packages/{package['id']}"
    owner = sign_in(ada)
    owner.goto(address)
    owner.locator("#recipient-row").click()
    for label, text in (("Name", "Mia"), ("Phone number or email", "mia@example.org"),
                        ("Address", "Am Markt 1\nBonn")):
        field(owner, label).fill(text)
    owner.get_by_role("button", name=words("Save")).click()
    expect(toast(owner, "Saved")).to_be_visible()
    recipient.goto(owner.locator("#recipient-link").inner_text())
    shown = recipient.locator("#delivery-state")
    expect(shown).to_contain_text("We’re still looking for a carrier.")

    act(ben, package, "acceptance")
    ask_again(recipient)
    expect(shown).to_contain_text("Ben will collect it and bring it to you.", timeout=SOON)
    carrier = sign_in(ben)
    carrier.goto(address)
    carrier.locator("#recipient-row").click()
    expect(carrier.locator("#recipient")).to_contain_text("Am Markt 1")
    field(carrier, "When and where to meet").fill("Friday at six, at the station")
    carrier.get_by_role("button", name=words("Show it to the recipient")).click()
    expect(toast(carrier, "The recipient’s page shows it")).to_be_visible()
    assert flaws(carrier) == []

    act(ada, package, "pickup")
    ask_again(recipient)
    expect(shown).to_have_text("Ben is on the way with it.", timeout=SOON)
    expect(recipient.locator("#delivery")).to_contain_text("Friday at six, at the station")
    code = recipient.locator("#delivery-code").inner_text()
    assert re.fullmatch(r"\d{4}\s\d{4}", code)
    field(recipient, "Where to leave it").fill("With Karl, ground floor")
    recipient.get_by_role("button", name=words("Send")).click()
    expect(toast(recipient, "Owner and carrier see it")).to_be_visible()
    expect(carrier.locator("#recipient")).to_contain_text("With Karl, ground floor")

    carrier.goto(address)
    expect(carrier.locator("#bring-to")).to_contain_text("With Karl, ground floor")
    field(carrier, "Code").fill(code)
    do(carrier, "Confirm with code")
    assert state(ada, package) == "delivered"
    carrepsa.has((START - REWARD, 0), (START + REWARD, 0))
    ask_again(recipient)
    expect(shown).to_have_text("It was delivered.", timeout=SOON)
    expect(recipient.locator("#delivery-code")).to_have_count(0)


@pytest.mark.spec("C-20")
def test_the_recipient_refuses_and_the_owner_ends_the_page(engine, carrepsa, sign_in, recipient):
    ada, ben = carrepsa.add_person("Ada"), carrepsa.add_person("Ben")
    package = post(ada)
    address = f"/carrepsa/packages/{package['id']}"
    link = ada.call("PUT", f"{address}/recipient", {"name": "Mia", "contact": "+49 30 123456"}, expect=200)["url"]
    act(ben, package, "acceptance")
    act(ada, package, "pickup")
    recipient.goto(link)
    recipient.get_by_role("button", name=words("I don’t want it")).click()
    recipient.get_by_role("alertdialog").get_by_role("button", name=words("Refuse")).click()
    expect(recipient.locator("#delivery")).to_contain_text("You refused this package.")
    carrepsa.has((START - REWARD, REWARD), (START - LOCK, LOCK))

    owner = sign_in(ada)
    owner.goto(address)
    owner.get_by_text("Confirm the delivery anyway").click()
    expect(owner.get_by_role("button", name=words("Confirm delivery"))).to_be_visible()
    assert flaws(owner) == []
    owner.locator("#recipient-row").click()
    owner.get_by_role("button", name=words("New link")).click()
    owner.get_by_role("alertdialog").get_by_role("button", name=words("Create")).click()
    expect(toast(owner, "New link created")).to_be_visible()
    renewed = owner.locator("#recipient-link").inner_text()
    assert renewed != link
    recipient.goto(renewed)
    expect(recipient.locator("#delivery")).to_contain_text("You refused this package.")
    owner.get_by_role("button", name=words("Revoke link")).click()
    owner.get_by_role("alertdialog").get_by_role("button", name=words("Revoke")).click()
    expect(toast(owner, "Link revoked")).to_be_visible()
    # The open page says so when it asks again, and no longer asks.
    ask_again(recipient)
    expect(recipient.get_by_role("heading", name="This link no longer works")).to_be_visible(timeout=SOON)
    expect(recipient.locator("#delivery[hx-get]")).to_have_count(0)
