"""A replacement for Nominatim on loopback.

It implements only what the documentation says (nominatim.org/release-docs/latest/api/Reverse and …/Search, version 5):
`GET /reverse` with `lat` and `lon` responds with the nearest object, in `format=jsonv2` as a JSON object with
`display_name` and, with `addressdetails=1`, `address`; where there is none, with `{"error": "Unable to geocode"}` and
status 200. `GET /search` with `q` responds with an array of at most `limit` objects with `lat` and `lon` as text and
`display_name`; it is empty if nothing is found. The usage policy (operations.osmfoundation.org/policies/nominatim) asks
for at most one request a second and a `User-Agent` that names the application; requests that break it are counted as
violations."""

import time
import urllib.parse

from support.loopback import JSONService


class Nominatim(JSONService):
    def __init__(self):
        self.requests = []  # (time, latitude, longitude)
        self.searches = []  # the parameters of each search
        self.places = {}  # the places of a text: [(name, latitude, longitude)]
        self.asked = None  # when the latest request came
        self.violations = []
        self.is_down = False
        super().__init__()

    def respond(self, request):
        path, _, query = request.path.partition("?")
        values = dict(urllib.parse.parse_qsl(query))
        now = time.monotonic()
        if self.asked is not None and now - self.asked < 0.95:
            self.violations.append("more than one request a second")
        self.asked = now
        if "homeward" not in request.headers.get("User-Agent", ""):
            self.violations.append("no User-Agent")
        if path == "/search" and values.get("format") == "jsonv2":
            return self.search(request, values)
        if path != "/reverse" or values.get("format") != "jsonv2":
            return self.send(request, 400, {"error": {"code": 400, "message": "Unsupported"}})
        latitude, longitude = float(values["lat"]), float(values["lon"])
        self.requests.append((now, latitude, longitude))
        if self.is_down:
            return self.send(request, 503, {})
        if abs(latitude) < 1:
            return self.send(request, 200, {"error": "Unable to geocode"})
        road = f"Street {round(latitude * 1000) % 1000}"
        return self.send(request, 200, {
            "place_id": 1, "licence": "Data © OpenStreetMap contributors, ODbL 1.0.", "lat": str(latitude),
            "lon": str(longitude), "display_name": f"{road}, Aachen, Germany",
            "address": {"road": road, "city": "Aachen", "country": "Germany", "country_code": "de"},
        })

    def search(self, request, values):
        self.searches.append(values)
        if self.is_down:
            return self.send(request, 503, {})
        return self.send(request, 200, [
            {"place_id": number, "licence": "Data © OpenStreetMap contributors, ODbL 1.0.", "lat": str(latitude),
             "lon": str(longitude), "display_name": name}
            for number, (name, latitude, longitude) in enumerate(self.places.get(values["q"], []))
        ][:int(values.get("limit", 10))])
