"""Disputes in three browsers: statements, divisions of the money, decisions and an appeal."""

import pytest
from playwright.sync_api import expect

from support.carrepsa import LOCK, REWARD, START, act, post, state
from support.layout_checks import flaws
from support.pages import png_file, toast, words


class Dispute:
    """A package that Karl carries for Olga, in dispute, with a page for each person."""

    def __init__(self, carrepsa, sign_in):
        self.olga, self.karl, self.otto = (carrepsa.add_person(name) for name in ("Olga", "Karl", "Otto"))
        carrepsa.operator(self.otto)
        self.carrepsa, self.sign_in = carrepsa, sign_in
        self.package = post(self.olga)
        act(self.karl, self.package, "acceptance")
        act(self.olga, self.package, "pickup")
        self.hers, self.his = sign_in(self.olga), sign_in(self.karl)
        for page in (self.hers, self.his):
            page.goto(self.address)

    @property
    def address(self):
        return f"/carrepsa/packages/{self.package['id']}"

    def report(self):
        """Olga reports the problem on her page."""
        self.hers.get_by_text(words("Report a problem")).first.click()
        self.hers.get_by_label(words("What is it about?")).select_option(label="It is damaged")
        self.hers.get_by_label(words("What is wrong?")).fill("The glass is broken.")
        self.hers.locator("#step-dispute button").click()
        expect(self.his.locator("#statements")).to_contain_text("The glass is broken.")
        expect(toast(self.hers, "An administrator was asked")).to_be_visible()
        self.hers.goto(self.address)

    def page_of(self, someone):
        page = self.sign_in(someone)
        page.goto(self.address)
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


@pytest.mark.spec("C-32")
def test_owner_and_carrier_agree_on_a_division(dispute):
    dispute.report()
    his, hers = dispute.his, dispute.hers
    his.get_by_text(words("Offer to divide the money")).first.click()
    fill_split(his, "#step-split", "99", "10")
    his.get_by_label(words("Why (optional)")).fill("Half each")
    his.get_by_role("button", name=words("Send offer")).click()
    expect(his.get_by_text("Enter an amount from 0 to €12.00.")).to_be_visible()
    expect(his.get_by_label(words("Why (optional)"))).to_have_value("Half each")
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
    dispute.report()
    his, hers = dispute.his, dispute.hers
    administrator_page = dispute.page_of(dispute.otto)
    expect(administrator_page.locator("#dispute-waiting")).to_contain_text("Karl hasn’t written yet")
    expect(administrator_page.locator("#step-decide")).to_have_count(0)
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
    for page, texts in ((his, ("You get €36.50: ", "Olga gets €15.50: ")),
                        (hers, ("Karl gets €36.50: ", "You get €15.50: "))):
        expect(page.locator("#decision")).to_contain_text("Packed badly, carried roughly.")
        for text in texts:
            expect(page.locator("#decision")).to_contain_text(text)
    assert flaws(his) == []
    assert state(dispute.olga, dispute.package) == "travelling"
    for page in (his, hers):
        page.locator("#decision").get_by_role("button", name=words("Accept")).click()
        page.locator("dialog.question[open]").get_by_role("button", name=words("Accept")).click()
        expect(toast(page, "Accepted.")).to_be_visible()
    expect(his.get_by_text("An administrator divided the money.")).to_be_visible()
    dispute.has(START - REWARD + 1_550, START - LOCK + 3_650)


@pytest.mark.spec("C-37")
def test_a_statement_has_a_photo_as_evidence(dispute):
    dispute.report()
    his = dispute.his
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
    administrator_page = dispute.page_of(dispute.otto)
    for page in (his, dispute.hers, administrator_page):
        photo = page.locator("#statements .statement-photo")
        expect(photo).to_be_visible()
        assert flaws(page) == []
    path = photo.get_attribute("href")
    his.context.set_offline(True)
    his.get_by_text(words("Add a statement")).first.click()
    his.get_by_label(words("What happened?")).fill("I write from the tunnel.")
    form.get_by_role("button", name=words("Add a statement")).click()
    expect(his.locator("#waiting-chip")).to_be_visible()
    his.context.set_offline(False)
    expect(dispute.hers.locator("#statements")).to_contain_text("I write from the tunnel.", timeout=20_000)
    server = dispute.carrepsa.server
    stranger = dispute.carrepsa.add_person("Cleo")
    for person, status in ((dispute.olga, 200), (dispute.karl, 200), (dispute.otto, 200), (stranger, 404)):
        assert server.request("GET", path, token=person.token)[0] == status, person.name
    dispute.carrepsa.is_sound()


@pytest.mark.spec("C-33")
def test_an_appeal_is_decided_by_another_administrator(dispute):
    first, second = dispute.otto, dispute.carrepsa.add_person("Ines")
    dispute.carrepsa.operator(second)
    dispute.report()
    act(dispute.karl, dispute.package, "statements", body={"statement": "It was broken before."})
    act(first, dispute.package, "decision", body={"outcome": "lost", "note": "Nothing proves that."})
    his, hers = dispute.his, dispute.hers
    his.locator("#decision summary").click()
    his.get_by_label(words("What is wrong with it?")).fill("The photo shows it.")
    his.locator("#step-appeal button").click()
    expect(toast(his, "You appealed.")).to_be_visible()
    expect(hers.get_by_text("There was an appeal.")).to_be_visible()
    act(dispute.olga, dispute.package, "statements", body={"statement": "It doesn't."})
    act(first, dispute.package, "decision", expect=403, body={"outcome": "lost", "note": "Still."})
    administrator_page = dispute.page_of(second)
    administrator_page.get_by_label(words("Reason")).fill("It does.")
    administrator_page.get_by_role("button", name=words("It was delivered")).click()
    administrator_page.locator("dialog.question[open]").get_by_role("button", name=words("It was delivered")).click()
    expect(his.get_by_text("An administrator decided that it has arrived.")).to_be_visible()
    assert state(dispute.karl, dispute.package) == "delivered"
    dispute.has(START - REWARD, START + REWARD)
    for page in (his, hers):
        expect(page.locator("#decision")).to_contain_text("It does.")
        expect(page.locator("#statements")).to_contain_text("It was broken before.")
    assert flaws(his) == []
    # Administrators can look the case up, but change nothing.
    administrator_page.goto("/carrepsa/disputes")
    administrator_page.get_by_role("link", name=words("Decided")).click()
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
