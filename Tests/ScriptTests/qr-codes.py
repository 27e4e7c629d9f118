"""Prints the codes that the tests of the QR code reader read, as JSON, from an independent generator."""

import json
import random
import string
import sys

import segno

LINK = "http://localhost:8080/family/sign-in?code="


def code(name, text, view=None, **options):
    made = segno.make(text, micro=False, boost_error=False, **options)
    rows = ["".join("1" if module else "0" for module in row) for row in made.matrix]
    return {"name": name, "text": text, "rows": rows, "view": view or {}}


def every_size():
    for version in range(1, 41):
        text = "".join(random.Random(version).choices(string.ascii_letters, k=6 if version < 4 else version * 8))
        for level in "MLQH":
            # A given mask saves the search for the best one. Every mask occurs.
            yield code(f"size {version}-{level}", text, version=version, error=level, mask=version % 8)


def every_kind_of_text():
    for text in ("0123456789012345", "HELLO WORLD $%*+-./:", "Grüße 🎉", "https://example.org/?a=%20"):
        yield code(f"text {text}", text, {"size": 800, "scale": 0.95})


def links():
    for seed in range(20):
        chance = random.Random(seed)
        text = LINK + "".join(chance.choices(string.ascii_letters + string.digits + "-_", k=22))
        view = {"size": 800, "angle": chance.uniform(-3.1, 3.1), "scale": chance.uniform(0.4, 0.65),
                "skew": chance.uniform(-0.18, 0.18), "blur": chance.uniform(0, 1.2), "noise": chance.uniform(0, 60),
                "shade": chance.uniform(0, 0.7), "isMirrored": seed % 7 == 0}
        yield code(f"crooked, dim, noisy picture {seed}", text, view, error="m")


def tilted():
    """Codes seen from the side: without their alignment mark, the fourth corner is estimated in the wrong place."""
    for version in (3, 4, 5):
        for tilt in (0.15, -0.2):
            text = "".join(random.Random(version).choices(string.ascii_letters, k=version * 8))
            view = {"size": 800, "scale": 0.7, "angle": version / 3, "tilt": tilt}
            yield code(f"size {version}, tilted by {tilt}", text, view, version=version, error="m", mask=1)


json.dump([*every_size(), *every_kind_of_text(), *links(), *tilted()], sys.stdout)
