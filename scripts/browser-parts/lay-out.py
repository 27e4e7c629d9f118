"""lay-out.py PACKAGES OUTPUT: writes the files that pages load to OUTPUT, from the unpacked PACKAGES."""

import json
import pathlib
import re
import shutil
import sys
import zipfile

here = pathlib.Path(__file__).resolve().parent
packages, output = map(pathlib.Path, sys.argv[1:3])
sys.path.insert(0, str(packages))
import shapefile  # noqa: E402  (it is one of the packages)

TAKEN = {
    "htmx.min.js": "django_htmx/static/django_htmx/htmx-2.min.js",
    "morphdom.min.js": "django_unicorn/static/unicorn/js/morphdom/2.6.1/morphdom-umd.min.js",
    "leaflet.js": "xstatic/pkg/leaflet/data/leaflet.js",
    "leaflet.css": "xstatic/pkg/leaflet/data/leaflet.css",
}


def sprite() -> str:
    """One symbol per icon. The page sets stroke and size, so that an icon has the colour of its text."""
    names = [line.strip() for line in (here / "icons.txt").read_text().splitlines()]
    symbols = []
    with zipfile.ZipFile(packages / "lucide/lucide.zip") as icons:
        for name in sorted({name for name in names if name and not name.startswith("#")}):
            drawing = re.search(r"<svg[^>]*>(.*)</svg>", icons.read(f"{name}.svg").decode(), re.DOTALL)
            if drawing is None:
                sys.exit(f"lay-out: {name}.svg holds no drawing")
            paths = re.sub(r"\s+", " ", drawing.group(1)).replace(" />", "/>").replace("> <", "><").strip()
            symbols.append(
                f'<symbol id="{name}" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.75"'
                f' stroke-linecap="round" stroke-linejoin="round">{paths}</symbol>'
            )
    return '<svg xmlns="http://www.w3.org/2000/svg">\n' + "\n".join(symbols) + "\n</svg>\n"


def rounded(coordinates):
    """Rounds to two decimals, about a kilometre: finer than the outline itself."""
    if isinstance(coordinates[0], (list, tuple)):
        points = [rounded(inner) for inner in coordinates]
        return [point for index, point in enumerate(points) if index == 0 or point != points[index - 1]]
    return [round(coordinates[0], 2), round(coordinates[1], 2)]


def world() -> str:
    shapes = shapefile.Reader(str(packages / "geopandas/datasets/naturalearth_lowres/naturalearth_lowres.shp")).shapes()
    features = []
    for shape in shapes:
        outline = shape.__geo_interface__
        geometry = {"type": outline["type"], "coordinates": rounded(outline["coordinates"])}
        features.append({"type": "Feature", "properties": {}, "geometry": geometry})
    return json.dumps({"type": "FeatureCollection", "features": features}, separators=(",", ":"))


for name, source in TAKEN.items():
    # Browsers would request the source map, which isn't served.
    text = (packages / source).read_text()
    (output / name).write_text(re.sub(r"\n?//# sourceMappingURL=\S+\s*$", "\n", text))
(output / "icons.svg").write_text(sprite())
(output / "world.json").write_text(world())
shutil.copyfile(here / "licences.txt", output / "licences.txt")
