"""Messages between the parties of a package, reports and blocks, and reviews of finished deliveries."""

import re

import pytest
from playwright.sync_api import expect

from support.carrepsa import act, post
from support.layout_checks import flaws
from support.pages import png_file, toast, until, words


def notifications(person, kind="packageMessage"):
    return [entry["body"] for entry in person.call("GET", "/notifications", expect=200)["items"]
            if entry["kind"] == kind]


def is_live(page):
    until(page, "() => document.documentElement.dataset.live === 'open'")


def write(page, text):
    page.get_by_label(words("Message")).fill(text)
    page.get_by_role("button", name=words("Send")).click()
    expect(page.locator(".message").last).to_contain_text(text)


@pytest.mark.spec("C-28")
def test_owner_and_carrier_write_to_each_other(engine, carrepsa, sign_in):
    ada, ben = carrepsa.add_person("Ada"), carrepsa.add_person("Ben")
    package = post(ada)
    act(ben, package, "acceptance")
    owner, carrier = sign_in(ada), sign_in(ben)
    carrier.goto(f"/carrepsa/packages/{package['id']}")
    expect(carrier.locator("#contact").get_by_role("link", name=words("Call"))).to_have_attribute(
        "href", f"tel:{ada.phone}")
    carrier.locator("#contact").get_by_role("link", name=words("Write")).click()
    expect(carrier.get_by_role("heading", level=1)).to_have_text("Ada")
    owner.goto(f"/carrepsa/packages/{package['id']}")
    is_live(owner)
    write(carrier, "I come at five")
    # The live message can appear before the form's own answer, which empties it.
    expect(carrier.get_by_label(words("Message"))).to_have_value("")
    assert flaws(carrier) == []
    # The owner's open page says that there is a message, without being loaded again.
    expect(owner.locator("#contact")).to_contain_text("1 new message")
    assert notifications(ada) == ["I come at five"]
    owner.locator("#contact").get_by_role("link", name=words("1 new message")).click()
    expect(owner.locator(".message")).to_contain_text("I come at five")
    # The author sees that it was read, and the notification is gone.
    expect(carrier.locator(".message-read")).to_be_visible()
    assert notifications(ada) == []
    is_live(carrier)
    write(owner, "Second floor")
    expect(carrier.locator(".message").last).to_contain_text("Second floor")
    expect(owner.locator(".message")).to_have_count(2)
    act(ada, package, "acceptance", expect=200, method="DELETE")
    expect(carrier.get_by_text("This delivery has ended")).to_be_visible()


@pytest.mark.spec("C-28")
def test_a_message_waits_for_a_connection_and_has_a_place_or_a_photo(server, engine, carrepsa, sign_in):
    ada, ben, cleo = carrepsa.add_person("Ada"), carrepsa.add_person("Ben"), carrepsa.add_person("Cleo")
    package = post(ada)
    act(ben, package, "acceptance")
    path = f"/carrepsa/packages/{package['id']}/messages"
    page = sign_in(ben)
    page.context.grant_permissions(["geolocation"])
    page.context.set_geolocation({"latitude": 53.8661, "longitude": 10.6797})
    page.goto(path)
    page.get_by_role("button", name=words("Send")).click()
    expect(page.get_by_text("Write something, or add a photo or your position.")).to_be_visible()
    page.locator("summary", has_text="Add a photo or your position").click()
    page.get_by_role("button", name=words("Add where I am")).click()
    expect(page.get_by_text("Your position is sent with the message.")).to_be_visible()
    page.get_by_role("button", name=words("Send")).click()
    expect(page.locator(".message-place")).to_have_attribute("href", "geo:53.8661,10.6797")
    page.context.set_offline(True)
    page.get_by_label(words("Message")).fill("In the tunnel")
    page.get_by_role("button", name=words("Send")).click()
    chip = page.locator("#waiting-chip")
    expect(chip).to_have_text("Waiting (1)")
    expect(page.get_by_label(words("Message"))).to_have_value("")
    expect(page.locator(".message").last).to_contain_text("In the tunnel")
    expect(page.locator(".message").last.locator(".waiting-badge")).to_be_visible()
    assert flaws(page) == []
    # A second tap has nothing to send.
    page.get_by_role("button", name=words("Send")).click()
    expect(page.get_by_text("Write something, or add a photo or your position.")).to_be_visible()
    expect(chip).to_have_text("Waiting (1)")
    # The chip covers nothing of the form.
    below, above = page.locator("#message-form").bounding_box(), chip.bounding_box()
    assert above["y"] + above["height"] <= below["y"]
    # A message is discarded like other changes.
    page.get_by_label(words("Message")).fill("Never mind")
    page.get_by_role("button", name=words("Send")).click()
    expect(chip).to_have_text("Waiting (2)")
    chip.click()
    sheet = page.locator("#waiting-sheet")
    sheet.locator(".waiting-row", has_text="Never mind").get_by_role("button", name=words("Discard")).click()
    page.get_by_role("alertdialog").get_by_role("button", name=words("Discard")).click()
    expect(sheet.locator(".waiting-row")).to_have_count(1)
    sheet.get_by_role("button", name=words("Close")).click()
    expect(page.locator(".message")).to_have_count(2)
    page.context.set_offline(False)
    expect(chip).to_have_count(0, timeout=20_000)
    expect(page.locator(".message .waiting-badge")).to_have_count(0)
    expect(page.locator(".message")).to_have_count(2)
    expect(page.locator(".message").last).to_contain_text("In the tunnel")
    seen = ada.call("GET", path, expect=200)
    assert [one["text"] for one in seen["items"]] == ["In the tunnel", None]
    ada.call("PUT", f"{path}/reading", {"number": 2}, expect=204)

    page.goto(path)
    page.locator("summary", has_text="Add a photo or your position").click()
    page.locator("#message-form [data-photo-pick]").click()
    page.get_by_role("dialog").get_by_text(words("Select from photo library")).click()
    page.get_by_label("Choose from this phone").set_input_files(png_file())
    expect(page.locator("#message-form [data-photo-preview] img")).to_be_visible()
    page.get_by_role("button", name=words("Send")).click()
    expect(page.locator(".message .message-photo")).to_be_visible()
    assert flaws(page) == []
    assert notifications(ada) == ["Photo"]
    link = page.locator(".message a:has(.message-photo)")
    url = link.get_attribute("href")
    with page.expect_response(lambda response: "size=large" in response.url) as opened:
        link.click()
    assert opened.value.status == 200
    for person, status in ((ada, 200), (cleo, 404)):
        assert server.request("GET", url, token=person.token)[0] == status, person.name


@pytest.mark.spec("C-29")
def test_a_message_is_reported_and_its_author_blocked(engine, carrepsa, sign_in):
    ada, ben = carrepsa.add_person("Ada"), carrepsa.add_person("Ben")
    olga = carrepsa.add_person("Olga", is_operator=True)
    package = post(ada)
    act(ben, package, "acceptance")
    act(ada, package, "pickup")
    path = f"/carrepsa/packages/{package['id']}/messages"
    ben.call("POST", path, {"text": "You fool"}, expect=201)
    olga.call("GET", path, expect=404)
    page = sign_in(ada)
    page.goto(path)
    page.get_by_role("link", name=words("Report")).click()
    expect(page.get_by_text("You fool")).to_be_visible()
    page.get_by_label(words("Reason")).fill("An insult")
    page.get_by_role("switch", name=re.compile("Block Ben")).check()
    page.get_by_role("button", name=words("Report message")).click()
    expect(toast(page, "Reported to the administrators")).to_be_visible()
    expect(page.get_by_text("You blocked this person")).to_be_visible()
    expect(page.locator("#message-form")).to_have_count(0)
    ben.call("POST", path, {"text": "Sorry"}, expect=403)
    administrator_page = sign_in(olga)
    administrator_page.goto("/carrepsa/message-reports")
    expect(administrator_page.locator(".message")).to_contain_text("An insult")
    assert flaws(administrator_page) == []
    for person in (ada, ben):
        expect(administrator_page.locator(f".message-head a[href='/carrepsa/people/{person.id}']")).to_be_visible()
    assert any("Read it and decide what to do." in body for body in notifications(olga, "packageDisputed"))
    administrator_page.get_by_role("button", name=words("Mark as handled")).click()
    administrator_page.get_by_role("alertdialog").get_by_role("button", name=words("Mark as handled")).click()
    expect(administrator_page.get_by_text("No reported messages")).to_be_visible()
    # A party asks for a decision: now the administrator reads the messages, and both are told.
    act(ada, package, "dispute", body={"reason": "It is late"})
    seen = olga.call("GET", path, expect=200)
    assert [one["text"] for one in seen["items"]] == ["You fool"]
    for one in (ada, ben):
        assert any("administrators can read your messages" in body for body in notifications(one, "packageDisputed"))
    page.goto("/carrepsa/blocks")
    page.get_by_role("button", name=re.compile("Unblock Ben")).click()
    page.get_by_role("alertdialog").get_by_role("button", name=words("Unblock")).click()
    expect(page.get_by_text("You haven’t blocked anyone")).to_be_visible()
    ben.call("POST", path, {"text": "Sorry"}, expect=201)


@pytest.mark.spec("C-30")
def test_owner_and_carrier_review_a_delivery_blindly(engine, carrepsa, sign_in):
    ada, ben = carrepsa.add_person("Ada"), carrepsa.add_person("Ben")
    package = post(ada)
    act(ben, package, "acceptance")
    act(ada, package, "pickup")
    act(ada, package, "delivery")
    owner, carrier = sign_in(ada), sign_in(ben)
    url = f"/carrepsa/packages/{package['id']}"
    owner.goto(url)
    owner.get_by_role("switch", name=words("On time")).check()
    owner.get_by_label(words("Your review")).fill("Came when he said")
    assert flaws(owner) == []
    owner.get_by_role("button", name=words("Save review")).click()
    expect(toast(owner, "Review saved")).to_be_visible()
    carrier.goto(url)
    expect(carrier.locator("#reviews")).not_to_contain_text("Came when he said")
    assert notifications(ben, "packageReview")[0].startswith("Ada reviewed the delivery")
    carrier.get_by_role("switch", name=words("Friendly")).check()
    carrier.get_by_role("button", name=words("Save review")).click()
    expect(carrier.locator("#reviews")).to_contain_text("Came when he said")
    # The notification that asked for the review is gone.
    assert notifications(ben, "packageReview") == []
    carrier.locator("summary", has_text="Reply").click()
    carrier.get_by_label(words("Your reply")).fill("With pleasure")
    carrier.get_by_role("button", name=words("Save reply")).click()
    expect(toast(carrier, "Reply saved")).to_be_visible()
    owner.goto(f"/carrepsa/people/{ben.id}")
    profile = owner.locator("#reputation")
    for text in ("1 delivery", "On time", "Came when he said", "With pleasure"):
        expect(profile).to_contain_text(text)
    assert flaws(owner) == []


@pytest.mark.spec("C-28")
def test_the_newest_message_is_in_view(engine, carrepsa, sign_in):
    ada, ben = carrepsa.add_person("Ada"), carrepsa.add_person("Ben")
    package = post(ada)
    act(ben, package, "acceptance")
    path = f"/carrepsa/packages/{package['id']}/messages"
    for number in range(15):
        ada.call("POST", path, {"text": f"Message {number}, which takes a line or two on a phone"}, expect=201)
    page = sign_in(ben)
    page.goto(path)
    expect(page.locator(".message").last).to_contain_text("Message 14")
    expect(page.locator(".message").last).to_be_in_viewport()
    expect(page.locator("#message-form")).to_be_in_viewport()
    expect(page.locator(".message").first).not_to_be_in_viewport()
    expect(page.get_by_role("log", name=words("Messages"))).to_be_visible()
    is_live(page)
    ada.call("POST", path, {"text": "One more"}, expect=201)
    expect(page.locator(".message").last).to_contain_text("One more")
    expect(page.locator("#message-form button[type=submit]")).to_be_in_viewport()
    # The page doesn't scroll while earlier messages are read.
    page.evaluate("scrollTo(0, 0)")
    until(page, "() => scrollY === 0")
    ada.call("POST", path, {"text": "And another"}, expect=201)
    expect(page.locator(".message").last).to_contain_text("And another")
    assert page.evaluate("scrollY") == 0
    # Keyboards reach the field without passing all messages.
    page.keyboard.press("Tab")
    page.get_by_role("link", name=words("Skip to the message field")).press("Enter")
    expect(page.get_by_label(words("Message"))).to_be_focused()
