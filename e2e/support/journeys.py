"""Generated journeys of an item: positions with jitter, always the same ones."""

import math
import random
from datetime import UTC, datetime

from support.items import HOME, METRE

WORK = (HOME[0] + 4_000 * METRE, HOME[1] + 3_000 * METRE / 0.6325)
MINUTE = 60


def at(day, hour, minute=0):
    """Returns the seconds since 1970 of a time in UTC."""
    return int(datetime.fromisoformat(f"{day}T{hour:02}:{minute:02}:00").replace(tzinfo=UTC).timestamp())


def jitter(place, generator, metres=6):
    return (place[0] + generator.gauss(0, metres) * METRE,
            place[1] + generator.gauss(0, metres) * METRE / 0.6325)


def stay(place, start, end, every=5 * MINUTE, seed=1):
    """Returns the positions of a stay: time, latitude, longitude."""
    generator = random.Random(seed)
    return [(second, *jitter(place, generator)) for second in range(start, end + 1, every)]


def trip(start_place, end_place, start, end, every=MINUTE, seed=2):
    """Returns the positions of a trip along a slight bend."""
    generator = random.Random(seed)
    found = []
    for second in range(start + every, end, every):
        share = (second - start) / (end - start)
        bend = math.sin(math.pi * share) * 600 * METRE
        place = (start_place[0] + (end_place[0] - start_place[0]) * share + bend,
                 start_place[1] + (end_place[1] - start_place[1]) * share)
        found.append((second, *jitter(place, generator)))
    return found


def working_day(day):
    """Home until 8:00, work from 8:20 to 12:00, then silence until 16:00, home from 16:20."""
    return [
        *stay(HOME, at(day, 6), at(day, 8)),
        *trip(HOME, WORK, at(day, 8), at(day, 8, 20)),
        *stay(WORK, at(day, 8, 20), at(day, 12)),
        *stay(WORK, at(day, 16), at(day, 16, 10)),
        *trip(WORK, HOME, at(day, 16, 10), at(day, 16, 30)),
        *stay(HOME, at(day, 16, 30), at(day, 18)),
    ]


def report_all(someone, secret, positions):
    for second, latitude, longitude in positions:
        someone.report(secret, f"{latitude:.6f}", f"{longitude:.6f}", at=second, accuracy=8)
