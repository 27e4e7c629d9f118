"""A replacement for an OSRM server on loopback.

It implements only what the documentation says (project-osrm.org/docs/v26.4.0/http, *Table service*): `GET
/table/v1/driving/{longitude},{latitude};…?annotations=distance` responds with `distances[i][j]`, the metres from the
i-th to the j-th point, and more than 100 points with `TooBig` and status 400. Its roads are twice as long as straight
lines."""

import math

from support.loopback import JSONService

EARTH_METRES = 6_371_008.8
POINTS = 100


def metres(one, other):
    (longitude, latitude), (east, north) = one, other
    half = math.sin(math.radians(north - latitude) / 2) ** 2 + math.cos(math.radians(latitude)) * math.cos(
        math.radians(north)) * math.sin(math.radians(east - longitude) / 2) ** 2
    return 2 * EARTH_METRES * math.asin(min(1, math.sqrt(half)))


class OSRM(JSONService):
    def respond(self, request):
        path, _, query = request.path.partition("?")
        start, _, coordinates = path.rpartition("/")
        if start != "/table/v1/driving" or query != "annotations=distance":
            return self.send(request, 400, {"code": "InvalidUrl"})
        points = [tuple(float(part) for part in point.split(",")) for point in coordinates.split(";")]
        if len(points) > POINTS:
            return self.send(request, 400, {"code": "TooBig"})
        return self.send(request, 200, {
            "code": "Ok", "distances": [[round(2 * metres(one, other), 1) for other in points] for one in points]})
