"""Map files of the tests."""

import math
import sqlite3

from support.pages import png

GREEN = (120, 190, 120)


def tile_of(place, zoom):
    """Returns column and row of the tile that shows a place, counted from the north-west."""
    side = 2 ** zoom
    latitude = math.radians(place[0])
    return int((place[1] + 180) / 360 * side), int((1 - math.asinh(math.tan(latitude)) / math.pi) / 2 * side)


def write_mbtiles(path, place, zooms=range(10, 15), around=3, attribution='<a href="https://map.example">Test map</a>'):
    """Writes a file with green tiles around a place."""
    tile = png(width=256, height=256, color=GREEN)
    connection = sqlite3.connect(path)
    connection.executescript(
        "CREATE TABLE metadata (name TEXT, value TEXT);"
        "CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB);"
        "CREATE UNIQUE INDEX tile_index ON tiles (zoom_level, tile_column, tile_row);")
    connection.executemany("INSERT INTO metadata VALUES (?, ?)", [
        ("name", "Test"), ("format", "png"), ("minzoom", str(min(zooms))), ("maxzoom", str(max(zooms))),
        ("bounds", f"{place[1] - 1},{place[0] - 1},{place[1] + 1},{place[0] + 1}"), ("attribution", attribution)])
    for zoom in zooms:
        column, row = tile_of(place, zoom)
        connection.executemany("INSERT INTO tiles VALUES (?, ?, ?, ?)", [
            (zoom, x, 2 ** zoom - 1 - y, tile)
            for x in range(column - around, column + around + 1) for y in range(row - around, row + around + 1)])
    connection.commit()
    connection.close()
