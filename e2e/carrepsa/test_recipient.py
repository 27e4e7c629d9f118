"""The recipient of a package: their page without an account, their code, and their refusal."""

import re

import pytest
from playwright.sync_api import expect

from support.carrepsa import LOCK, REWARD, START, act, action, do, field, post, state
from support.layout_checks import flaws
from support.pages import toast, words

SOON = 15_000  # the recipient's page asks every ten seconds


def enter(page, name="Mia", contact="mia@example.org", address="Am Markt 1\nBonn"):
    """Enters the recipient on the open page of a package; returns the address of their page."""
    page.locator("#recipient-row").click()
    for label, text in (("Name", name), ("Phone number or email", contact), ("Address", address)):
        field(page, label).fill(text)
    page.get_by_role("button", name=words("Save")).click()
    expect(toast(page, "Saved")).to_be_visible()
    return page.locator("#recipient-link").inner_text()


@pytest.mark.spec("C-18", "C-19")
def test_the_recipient_follows_the_package_and_proves_its_delivery(server, engine, carrepsa, sign_in, phone):
    ada, ben, cleo = (carrepsa.add_person(name) for name in ("Ada Lovelace", "Ben Nevis", "Cleo"))
    package = post(ada)
    owner = sign_in(ada)
    owner.goto(f"/carrepsa/packages/{package['id']}")
    owner.locator("#recipient-row").click()
    field(owner, "Name").fill("Mia")
    field(owner, "Phone number or email").fill("nowhere")
    owner.get_by_role("button", name=words("Save")).click()
    expect(owner.get_by_text("neither a phone number nor an email address")).to_be_visible()
    owner.goto(f"/carrepsa/packages/{package['id']}")
    link = enter(owner)
    assert flaws(owner) == []

    recipient = phone(server)
    recipient.goto(link)
    shown = recipient.locator("#delivery-state")
    expect(shown).to_contain_text("We’re still looking for a carrier.")
    assert recipient.locator("meta[name=robots]").get_attribute("content") == "noindex, nofollow"
    assert flaws(recipient) == []

    # Before the acceptance only the owner sees the recipient.
    for other in (ben, cleo):
        other.call("GET", f"/carrepsa/packages/{package['id']}/recipient", expect=404)
    act(ben, package, "acceptance")
    expect(shown).to_contain_text("Ben will collect it and bring it to you.", timeout=SOON)
    cleo.call("GET", f"/carrepsa/packages/{package['id']}/recipient", expect=404)
    carrier = sign_in(ben)
    carrier.goto(f"/carrepsa/packages/{package['id']}")
    carrier.locator("#recipient-row").click()
    expect(carrier.locator("#recipient")).to_contain_text("Am Markt 1")
    expect(carrier.locator("#recipient").get_by_role("link", name=re.compile("mia@example.org"))).to_have_attribute(
        "href", "mailto:mia@example.org")
    expect(carrier.locator("#recipient-link")).to_have_count(0)
    field(carrier, "When and where to meet").fill("Friday at six, at the station")
    carrier.get_by_role("button", name=words("Show it to the recipient")).click()
    expect(toast(carrier, "The recipient’s page shows it")).to_be_visible()
    assert flaws(carrier) == []

    act(ada, package, "pickup")
    expect(shown).to_have_text("Ben is on the way with it.", timeout=SOON)
    expect(recipient.locator("#delivery")).to_contain_text("Friday at six, at the station")
    assert not re.search(r"€|\d\.\d\d", recipient.locator("main").inner_text()), "no money"
    assert "Lovelace" not in recipient.locator("main").inner_text()
    assert flaws(recipient) == []
    code = recipient.locator("#delivery-code").inner_text()
    assert re.fullmatch(r"\d{4}\s\d{4}", code)
    field(recipient, "Where to leave it").fill("With Karl, ground floor")
    recipient.get_by_role("button", name=words("Send")).click()
    expect(toast(recipient, "Owner and carrier see it")).to_be_visible()
    expect(carrier.locator("#recipient")).to_contain_text("With Karl, ground floor")

    carrier.goto(f"/carrepsa/packages/{package['id']}")
    expect(carrier.locator("#bring-to")).to_contain_text("Am Markt 1")
    expect(carrier.locator("#bring-to")).to_contain_text("With Karl, ground floor")
    expect(carrier.locator(".package-history")).to_contain_text("With Karl, ground floor")
    field(carrier, "Code").fill("0000 0000")
    carrier.get_by_role("button", name=words("Confirm with code")).click()
    expect(carrier.get_by_text("This is not")).to_be_visible()
    field(carrier, "Code").fill(code)
    do(carrier, "Confirm with code")
    assert state(ada, package) == "delivered"
    carrepsa.has((START - REWARD, 0), (START + REWARD, 0), (START, 0))
    expect(shown).to_have_text("It was delivered.", timeout=SOON)
    expect(recipient.locator("#delivery-code")).to_have_count(0)


@pytest.mark.spec("C-20")
def test_the_recipient_refuses_and_the_owner_ends_the_page(server, engine, carrepsa, sign_in, phone):
    ada, ben = carrepsa.add_person("Ada"), carrepsa.add_person("Ben")
    package = post(ada)
    act(ben, package, "acceptance")
    act(ada, package, "pickup")
    owner, recipient = sign_in(ada), phone(server)
    owner.goto(f"/carrepsa/packages/{package['id']}")
    link = enter(owner, contact="+49 30 123456", address="")
    recipient.goto(link)
    recipient.get_by_role("button", name=words("I don’t want it")).click()
    recipient.get_by_role("alertdialog").get_by_role("button", name=words("Refuse")).click()
    expect(recipient.locator("#delivery")).to_contain_text("You refused this package.")
    carrepsa.has((START - REWARD, REWARD), (START - LOCK, LOCK))
    for someone in (ada, ben):
        newest = someone.call("GET", "/notifications", expect=200)["items"][0]
        assert newest["body"].startswith("The recipient doesn’t want “Bike helmet”. Agree with")
    # A carrier who has the link can't refuse and agree alone.
    shown = ada.call("GET", f"/carrepsa/packages/{package['id']}", expect=200)
    assert shown["cancellationRequestedBy"] is None and shown["state"] == "travelling"

    # The link can be renewed and revoked; former and unknown links look the same.
    owner.get_by_role("button", name=words("New link")).click()
    owner.get_by_role("alertdialog").get_by_role("button", name=words("Create")).click()
    expect(toast(owner, "New link created")).to_be_visible()
    renewed = owner.locator("#recipient-link").inner_text()
    assert renewed != link
    answers = {server.request("GET", path)[0] for path in (link.removeprefix(server.url), "/deliveries/unknown")}
    assert answers == {404}
    recipient.goto(link)
    expect(recipient.get_by_role("heading", name="This link no longer works")).to_be_visible()
    recipient.goto(renewed)
    expect(recipient.locator("#delivery")).to_contain_text("You refused this package.")
    owner.get_by_role("button", name=words("Revoke link")).click()
    owner.get_by_role("alertdialog").get_by_role("button", name=words("Revoke")).click()
    expect(toast(owner, "Link revoked")).to_be_visible()
    # The open page says so when it asks again, and no longer asks.
    expect(recipient.get_by_role("heading", name="This link no longer works")).to_be_visible(timeout=SOON)
    expect(recipient.locator("#delivery[hx-get]")).to_have_count(0)
    assert flaws(recipient) == []
    assert server.request("GET", renewed.removeprefix(server.url))[0] == 404

    owner.goto(f"/carrepsa/packages/{package['id']}")
    do(owner, "Ask to cancel")
    carrier = sign_in(ben)
    carrier.goto(f"/carrepsa/packages/{package['id']}")
    expect(carrier.get_by_text("If you don’t agree, talk to Ada or report a problem.")).to_be_visible()
    expect(action(carrier, "I have delivered it")).to_be_hidden()
    carrier.get_by_text("Confirm the delivery anyway").click()
    expect(action(carrier, "I have delivered it")).to_be_visible()
    assert flaws(carrier) == []
    do(carrier, "Agree to cancel")
    carrepsa.has((START, 0), (START, 0))
