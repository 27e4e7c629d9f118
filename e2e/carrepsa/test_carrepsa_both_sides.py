"""Forms and questions about a package: errors while typing, and the way back from a question."""

import pytest
from playwright.sync_api import expect

from support.carrepsa import act, action, field, open_tab, post, state


@pytest.mark.spec("C-05")
def test_cancel_dialog_offers_to_keep_the_delivery(engine, carrepsa, sign_in):
    olga, karl = carrepsa.add_person("Olga"), carrepsa.add_person("Karl")
    package = post(olga, "Lamp")
    act(karl, package, "acceptance")
    page = sign_in(olga)
    page.goto(f"/carrepsa/packages/{package['id']}")
    action(page, "Cancel delivery").click()
    dialog = page.locator("dialog.question[open]")
    expect(dialog.get_by_role("button")).to_have_text(["Keep it", "Cancel delivery"], use_inner_text=True)
    dialog.get_by_role("button", name="Keep it").click()
    expect(dialog).to_have_count(0)
    assert state(olga, package) == "accepted"


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
