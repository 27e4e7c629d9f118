"""Owner and carrier of a delivery: notifications, statements in a dispute, and links to the next step."""

import re

import pytest
from playwright.sync_api import expect

from support.carrepsa import (
    LOCK,
    REWARD,
    SEARCH,
    START,
    act,
    action,
    do,
    field,
    open_package,
    open_tab,
    package_card,
    post,
    state,
)
from support.pages import words


def newest_notification(page):
    page.goto("/notifications")
    return page.locator("main li").first


def amount_text(minor):
    return f"€{minor / 100:,.2f}"


@pytest.fixture
def delivery(engine, carrepsa, sign_in):
    """A package in transit, and the pages of owner and carrier."""
    class Delivery:
        olga, karl = carrepsa.add_person("Olga"), carrepsa.add_person("Karl")
        package = post(olga, "Lamp")
        hers, his = sign_in(olga), sign_in(karl)
    act(Delivery.karl, Delivery.package, "acceptance")
    return Delivery


@pytest.mark.spec("C-05", "C-06")
@pytest.mark.parametrize("side", ["owner", "carrier"])
def test_a_cancellation_notifies_the_other_of_owner_and_carrier(delivery, side):
    canceller, reader, page, money = {
        "owner": (delivery.olga, "Olga", delivery.his, LOCK), "carrier": (delivery.karl, "Karl", delivery.hers, REWARD),
    }[side]
    act(canceller, delivery.package, "acceptance", expect=200, method="DELETE")
    entry = newest_notification(page)
    expect(entry).to_contain_text("Delivery cancelled")
    expect(entry).to_contain_text(
        f"{reader} cancelled the delivery of “Lamp”. {amount_text(money)} is back in your wallet.")


def test_a_reported_delivery_asks_the_owner_to_confirm(delivery):
    act(delivery.olga, delivery.package, "pickup")
    delivery.his.goto(f"/carrepsa/packages/{delivery.package['id']}")
    do(delivery.his, "I have delivered it")
    expect(delivery.his.locator("[data-toast]")).to_contain_text("Olga is asked to confirm")
    entry = newest_notification(delivery.hers)
    expect(entry).to_contain_text("Karl says “Lamp” has arrived.")
    expect(entry).to_contain_text(amount_text(REWARD + LOCK))
    entry.get_by_role("link").first.click()
    expect(delivery.hers).to_have_url(re.compile(delivery.package["id"]))
    expect(action(delivery.hers, "Confirm delivery")).to_be_visible()


def test_owner_and_carrier_are_heard_in_a_dispute(delivery, carrepsa, sign_in):
    otto = carrepsa.add_person("Otto")
    carrepsa.operator(otto)
    address = f"/carrepsa/packages/{delivery.package['id']}"
    act(delivery.olga, delivery.package, "pickup")
    act(delivery.olga, delivery.package, "dispute", body={"reason": "It is broken"})

    expect(newest_notification(delivery.his)).to_contain_text("Olga reported a problem with “Lamp”.")
    his = delivery.his
    his.goto(address)
    his.get_by_text(words("Add a statement")).first.click()
    his.locator("#step-statement button[type=submit]").click()
    expect(his.locator("#statement-error")).to_have_text("Describe what happened.")
    his.get_by_label("What happened?").fill("It was packed badly")
    his.locator("#step-statement button[type=submit]").click()
    expect(his.locator("#statements")).to_contain_text("It was packed badly")
    expect(newest_notification(delivery.hers)).to_contain_text("Karl added a statement about “Lamp”.")

    judge = sign_in(otto)
    expect(newest_notification(judge)).to_contain_text("Karl added a statement about “Lamp”.")
    judge.goto(address)
    for words_of_a_side in ("It is broken", "It was packed badly"):
        expect(judge.locator("#statements")).to_contain_text(words_of_a_side)
    for side in (delivery.olga, delivery.karl):
        judge.goto(address)
        judge.get_by_role("main").get_by_role("link").filter(has_text=side.name).first.click()
        expect(judge.locator(f"main a[href='mailto:{side.email}']").first).to_be_visible()


@pytest.mark.spec("C-01")
def test_accepting_shows_a_link_to_the_delivery(engine, carrepsa, sign_in):
    olga, karl = carrepsa.add_person("Olga"), carrepsa.add_person("Karl")
    title = f"Lamp {olga.id[-6:]}"
    package = post(olga, title)
    page = sign_in(karl)
    open_package(page, "Search", title)
    do(page, "Accept delivery")
    expect(page).to_have_url(SEARCH)
    page.locator("[data-toast]").get_by_role("link", name="Open delivery").click()
    expect(page).to_have_url(re.compile(package["id"]))
    expect(page.locator(".parcel-lead")).to_contain_text("Collect it from Olga.")


@pytest.mark.spec("C-05")
def test_cancel_dialog_offers_to_keep_the_delivery(delivery):
    page = delivery.hers
    page.goto(f"/carrepsa/packages/{delivery.package['id']}")
    action(page, "Cancel delivery").click()
    dialog = page.locator("dialog.question[open]")
    expect(dialog.get_by_role("button")).to_have_text(["Keep it", "Cancel delivery"], use_inner_text=True)
    dialog.get_by_role("button", name="Keep it").click()
    expect(dialog).to_have_count(0)
    assert state(delivery.olga, delivery.package) == "accepted"


@pytest.mark.spec("C-01")
def test_non_numeric_weight_is_marked_immediately(engine, carrepsa, sign_in):
    page = sign_in(carrepsa.add_person("Karl"))
    open_tab(page, "Search")
    weight = field(page, "Up to")
    weight.fill("heavy")
    expect(weight).to_have_attribute("aria-invalid", "true")
    expect(page.locator("#filter-weight-error")).to_have_text("Enter a weight such as 2.5.")
    weight.fill("2.5")
    expect(page.locator("#filter-weight-error")).to_be_empty()
    expect(weight).not_to_have_attribute("aria-invalid", "true")


@pytest.mark.spec("C-07")
def test_unfunded_package_is_not_shown_as_available(engine, carrepsa, sign_in):
    olga, karl = carrepsa.add_person("Olga"), carrepsa.add_person("Karl")
    package = post(olga, "Reading lamp", reward=START)
    act(karl, package, "acceptance")
    act(olga, package, "acceptance", expect=200, method="DELETE")
    post(olga, "Chair", reward=START)
    page = sign_in(olga)
    open_tab(page, "My packages")
    expect(package_card(page, "Reading lamp")).to_contain_text("Reward not funded")
    expect(package_card(page, "Reading lamp")).not_to_contain_text("Available")
    refused = act(karl, package, "acceptance", expect=409)
    assert refused["error"]["code"] == "reward_not_funded"
    expect(newest_notification(page)).to_contain_text(amount_text(START))


@pytest.mark.spec("C-02")
def test_focused_invalid_field_has_one_frame(engine, carrepsa, sign_in):
    page = sign_in(carrepsa.add_person("Olga"))
    page.goto("/carrepsa/packages/new")
    page.get_by_role("button", name="Request delivery").dispatch_event("click")
    title = page.locator("#title")
    expect(title).to_have_attribute("aria-invalid", "true")
    title.focus()
    frames = title.evaluate("""input => {
        const isDrawn = (width, colour, style) =>
            parseFloat(width) > 0 && style !== "none" && !/, 0\\)$|transparent/.test(colour);
        const hasOutline = look => isDrawn(look.outlineWidth, look.outlineColor, look.outlineStyle);
        const own = getComputedStyle(input), around = getComputedStyle(input.closest(".field"));
        const hasBorder = isDrawn(own.borderTopWidth, own.borderTopColor, own.borderTopStyle);
        const liesOnBorder = parseFloat(own.outlineOffset) <= -parseFloat(own.outlineWidth);
        return [hasBorder, hasOutline(own) && !(hasBorder && liesOnBorder), hasOutline(around)].filter(Boolean).length;
    }""")
    assert frames == 1
