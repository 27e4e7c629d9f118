"""Disputes: statements, divisions of the money, decisions and an appeal."""

import pytest
from playwright.sync_api import expect

from support.carrepsa import LOCK, REWARD, START, act, post, state
from support.layout_checks import flaws
from support.pages import png_file, toast, words
from support.patience import wait_until


class Dispute:
    """A package that Karl carries for Olga, and a problem that Olga reported."""

    def __init__(self, carrepsa, sign_in):
        self.carrepsa, self.sign_in = carrepsa, sign_in
        self.olga, self.karl = carrepsa.add_person("Olga"), carrepsa.add_person("Karl")
        self.package = post(self.olga)
        act(self.karl, self.package, "acceptance")
        act(self.olga, self.package, "pickup")
        act(self.olga, self.package, "dispute", body={"kind": "damaged", "reason": "The glass is broken."})

    def page_of(self, someone):
        page = self.sign_in(someone)
        page.goto(f"/carrepsa/packages/{self.package['id']}")
        return page

    def has(self, owner, carrier):
        assert self.carrepsa.money(self.olga) == (owner, 0)
        assert self.carrepsa.money(self.karl) == (carrier, 0)


@pytest.fixture
def dispute(engine, carrepsa, sign_in):
    return Dispute(carrepsa, sign_in)


def fill_split(page, form, reward, deposit):
    page.locator(f"{form} #rewardToCarrier").fill(reward)
    page.locator(f"{form} #depositToOwner").fill(deposit)


def is_live(page):
    expect(page.locator("html")).to_have_attribute("data-live", "open")


@pytest.mark.spec("C-32")
def test_owner_and_carrier_agree_on_a_division(dispute):
    his, hers = dispute.page_of(dispute.karl), dispute.page_of(dispute.olga)
    is_live(hers)
    his.get_by_text(words("Offer to divide the money")).first.click()
    fill_split(his, "#step-split", "99", "10")
    his.get_by_label(words("Why (optional)")).fill("Half each")
    his.get_by_role("button", name=words("Send offer")).click()
    expect(his.get_by_text("Enter an amount from 0 to €12.00.")).to_be_visible()
    assert flaws(his) == []
    his.locator("#step-split #rewardToCarrier").fill("6")
    his.get_by_role("button", name=words("Send offer")).click()
    expect(toast(his, "Offered. Olga is notified.")).to_be_visible()
    offer = hers.locator("#split-offer")
    expect(offer).to_contain_text("Karl gets €36.00: €6.00 of the reward and €30.00 of")
    expect(offer).to_contain_text("You get €16.00: €6.00 of the reward and €10.00 of")
    # The ways to pay everything out are folded away.
    expect(hers.get_by_text(words("Confirm the delivery anyway"))).to_be_visible()
    expect(hers.get_by_role("button", name=words("Confirm delivery"))).to_have_count(0)
    assert flaws(hers) == []
    hers.get_by_role("button", name=words("Decline")).click()
    expect(his.locator("#split-offer")).to_have_count(0)
    act(dispute.karl, dispute.package, "split-offer", body={"rewardToCarrier": 0, "depositToOwner": 1_000})
    expect(offer).to_contain_text("You get €22.00: €12.00 of the reward and €10.00 of")
    hers.locator("#split-offer").get_by_role("button", name=words("Accept")).click()
    hers.locator("dialog.question[open]").get_by_role("button", name=words("Accept")).click()
    expect(hers.get_by_text("You and Karl agreed to divide the money.")).to_be_visible()
    expect(his.get_by_text("You and Olga agreed to divide the money.")).to_be_visible()
    dispute.has(START + 1_000, START - 1_000)


@pytest.mark.spec("C-31")
def test_a_decision_divides_the_money_after_both_accept_it(dispute):
    otto = dispute.carrepsa.add_person("Otto", is_operator=True)
    his, administrator_page = dispute.page_of(dispute.karl), dispute.page_of(otto)
    expect(administrator_page.locator("#dispute-waiting")).to_contain_text("Karl hasn’t written yet")
    expect(administrator_page.locator("#step-decide")).to_have_count(0)
    is_live(administrator_page)
    expect(his.locator("#dispute-waiting")).to_contain_text("An administrator waits for you until")
    his.get_by_text(words("Add a statement")).first.click()
    his.get_by_label(words("What happened?")).fill("It was packed badly.")
    his.locator("#step-statement button[type=submit]").click()
    decide = administrator_page.locator("#step-decide")
    expect(decide).to_be_visible()
    fill_split(administrator_page, "#step-decide", "2", "")
    divide = decide.get_by_role("button", name=words("Divide the money"))
    divide.click()
    expect(administrator_page.get_by_text("Enter an amount. 0 is possible.")).to_be_visible()
    expect(administrator_page.get_by_text("Give the reason. Owner and carrier read it.")).to_be_visible()
    expect(administrator_page.locator("#step-decide #rewardToCarrier")).to_have_value("2")
    assert flaws(administrator_page) == []
    administrator_page.get_by_label(words("Reason")).fill("Packed badly, carried roughly.")
    administrator_page.locator("#step-decide #depositToOwner").fill("5.50")
    divide.click()
    question = administrator_page.locator("dialog.question[open]")
    expect(question).to_contain_text("Karl gets €36.50. Olga gets €15.50.")
    question.get_by_role("button", name=words("Divide the money")).click()
    expect(toast(administrator_page, "Decided. Owner and carrier are notified.")).to_be_visible()
    for text in ("Packed badly, carried roughly.", "You get €36.50: ", "Olga gets €15.50: "):
        expect(his.locator("#decision")).to_contain_text(text)
    assert flaws(his) == []
    assert state(dispute.olga, dispute.package) == "travelling"
    act(dispute.olga, dispute.package, "decision/acceptance")
    his.locator("#decision").get_by_role("button", name=words("Accept")).click()
    his.locator("dialog.question[open]").get_by_role("button", name=words("Accept")).click()
    expect(toast(his, "Accepted.")).to_be_visible()
    expect(his.get_by_text("An administrator divided the money.")).to_be_visible()
    dispute.has(START - REWARD + 1_550, START - LOCK + 3_650)


@pytest.mark.spec("C-37")
def test_a_statement_has_a_photo_as_evidence(dispute):
    his = dispute.page_of(dispute.karl)
    his.get_by_text(words("Add a statement")).first.click()
    form = his.locator("#step-statement")
    form.locator("[data-photo-pick]").click()
    his.get_by_role("dialog").get_by_text(words("Select from photo library")).click()
    his.get_by_label("Choose from this phone").set_input_files(png_file())
    expect(form.locator("[data-photo-preview] img")).to_be_visible()
    form.get_by_role("button", name=words("Add a statement")).click()
    expect(his.get_by_text("Describe what happened.")).to_be_visible()
    expect(form.locator("[data-photo-preview] img")).to_be_visible()
    assert flaws(his) == []
    his.get_by_label(words("What happened?")).fill("It was broken before, see the photo.")
    form.get_by_role("button", name=words("Add a statement")).click()
    expect(toast(his, "Statement added.")).to_be_visible()
    photo = his.locator("#statements .statement-photo")
    expect(photo).to_be_visible()
    assert flaws(his) == []
    path = photo.get_attribute("href")
    his.context.set_offline(True)
    his.get_by_text(words("Add a statement")).first.click()
    his.get_by_label(words("What happened?")).fill("I write from the tunnel.")
    form.get_by_role("button", name=words("Add a statement")).click()
    expect(his.locator("#waiting-chip")).to_be_visible()
    his.context.set_offline(False)

    def has_arrived():
        shown = dispute.olga.call("GET", f"/carrepsa/packages/{dispute.package['id']}", expect=200)
        return "I write from the tunnel." in [entry["note"] for entry in shown["story"]]

    wait_until(has_arrived, 20, "the statement wasn't sent", pause=lambda: his.wait_for_timeout(50))
    server = dispute.carrepsa.server
    otto = dispute.carrepsa.add_person("Otto", is_operator=True)
    stranger = dispute.carrepsa.add_person("Cleo")
    for person, status in ((dispute.olga, 200), (dispute.karl, 200), (otto, 200), (stranger, 404)):
        assert server.request("GET", path, token=person.token)[0] == status, person.name


@pytest.mark.spec("C-33")
def test_an_appeal_is_decided_by_another_administrator(dispute):
    first, second = (dispute.carrepsa.add_person(name, is_operator=True) for name in ("Otto", "Ines"))
    act(dispute.karl, dispute.package, "statements", body={"statement": "It was broken before."})
    act(first, dispute.package, "decision", body={"outcome": "lost", "note": "Nothing proves that."})
    his = dispute.page_of(dispute.karl)
    his.locator("#decision summary").click()
    his.get_by_label(words("What is wrong with it?")).fill("The photo shows it.")
    his.locator("#step-appeal button").click()
    expect(toast(his, "You appealed.")).to_be_visible()
    act(dispute.olga, dispute.package, "statements", body={"statement": "It doesn't."})
    act(first, dispute.package, "decision", expect=403, body={"outcome": "lost", "note": "Still."})
    administrator_page = dispute.page_of(second)
    administrator_page.get_by_label(words("Reason")).fill("It does.")
    administrator_page.get_by_role("button", name=words("It was delivered")).click()
    administrator_page.locator("dialog.question[open]").get_by_role("button", name=words("It was delivered")).click()
    expect(his.get_by_text("An administrator decided that it has arrived.")).to_be_visible()
    assert state(dispute.karl, dispute.package) == "delivered"
    dispute.has(START - REWARD, START + REWARD)
    expect(his.locator("#decision")).to_contain_text("It does.")
    expect(his.locator("#statements")).to_contain_text("It was broken before.")
    # Administrators can look the case up, but change nothing.
    administrator_page.goto("/carrepsa/disputes?past=true")
    case = administrator_page.locator("#disputes li").filter(has_text="It does.")
    expect(case).to_contain_text("Ended")
    assert flaws(administrator_page) == []
    case.get_by_role("link").click()
    expect(administrator_page.locator("#decision")).to_contain_text("It has taken effect.")
    expect(administrator_page.locator("#statements")).to_contain_text("It was broken before.")
    expect(administrator_page.locator("main form")).to_have_count(0)
    expect(administrator_page.locator("#contact")).to_have_count(0)
    assert flaws(administrator_page) == []
    administrator_page.locator("[data-back]").click()
    expect(case).to_have_count(1)
