"""The scanner's QR code reader, tested with codes from an independent generator."""

import io
import random
import string

import pytest
import segno

LINK = "http://localhost:8080/family/sign-in?code="

# Draws a code like a camera picture and reads it.
READ = """async ({reader, svg, size, angle, scale, skew, blur, noise, shade, mirrored}) => {
    const {readCode} = await import(reader);
    const picture = new Image();
    picture.src = "data:image/svg+xml," + encodeURIComponent(svg);
    await picture.decode();
    const canvas = document.createElement("canvas");
    const [width, height] = [canvas.width, canvas.height] = [size, size];
    const context = canvas.getContext("2d", {willReadFrequently: true});
    context.fillStyle = "#bbb";
    context.fillRect(0, 0, width, height);
    context.filter = `blur(${blur}px)`;
    context.translate(width / 2, height / 2);
    context.rotate(angle);
    context.transform(1, skew, skew / 2, 1, 0, 0);
    if (mirrored) context.scale(-1, 1);
    const side = width * scale;
    context.drawImage(picture, -side / 2, -side / 2, side, side);
    const image = context.getImageData(0, 0, width, height);
    let seed = 1;
    for (let place = 0; place < image.data.length; place += 4) {
        seed = (seed * 16807) % 2147483647;
        const light = 1 - shade * ((place / 4) % width) / width;
        for (let part = 0; part < 3; part += 1) {
            image.data[place + part] = image.data[place + part] * light + (seed / 2147483647 - 0.5) * noise;
        }
    }
    return readCode(image);
}"""


@pytest.fixture
def read(phone, server):
    page = phone(server)
    page.goto("/sign-in")
    script = page.locator("script[src$='/js/app.js']").get_attribute("src")
    reader = script.replace("/js/app.js", "/js/qr/read.js")

    def read_code(text, make=None, **view):
        made = io.BytesIO()
        segno.make(text, micro=False, boost_error=False, **(make or {})).save(made, kind="svg", scale=8, border=4,
                                                                            light="#fff")
        plain = {"size": 800, "angle": 0, "scale": 0.95, "skew": 0, "blur": 0, "noise": 0, "shade": 0,
                 "mirrored": False}
        return page.evaluate(READ, {"reader": reader, "svg": made.getvalue().decode(), **plain, **view})

    return read_code


@pytest.mark.parametrize("level", "M")
def test_every_code_size_is_read(engine, read, level):
    for version in range(1, 41):
        text = "".join(random.Random(version).choices(string.ascii_letters, k=6 if version < 4 else version * 8))
        # Four pixels a module, and the quiet zone. A larger picture takes longer.
        view = {"size": 4 * (17 + 4 * version + 8), "scale": 1}
        assert read(text, {"version": version, "error": level}, **view) == text, f"version {version}-{level}"


@pytest.mark.parametrize("text", ["0123456789012345", "HELLO WORLD $%*+-./:", "Grüße 🎉", "https://example.org/?a=%20"])
def test_every_kind_of_text_is_read(engine, read, text):
    assert read(text) == text


@pytest.mark.parametrize("seed", range(5))
def test_link_is_read_from_a_crooked_dim_noisy_picture(engine, read, seed):
    chance = random.Random(seed)
    text = LINK + "".join(chance.choices(string.ascii_letters + string.digits + "-_", k=22))
    view = {"angle": chance.uniform(-3.1, 3.1), "scale": chance.uniform(0.4, 0.65), "skew": chance.uniform(-0.18, 0.18),
            "blur": chance.uniform(0, 1.2), "noise": chance.uniform(0, 60), "shade": chance.uniform(0, 0.7),
            "mirrored": seed % 7 == 0}
    assert read(text, {"error": "m"}, **view) == text
