"""QR codes in tests. Independent programs decode the codes of a page and draw the codes for a camera."""

import struct
import zlib

import segno
import zxingcpp

WIDTH, HEIGHT = 640, 480
QUIET_MODULES = 4
DARK, LIGHT = 16, 235  # luma in studio range
FRAMES = 3


def _rows(picture):
    """Returns the pixels of a PNG in the format of browser screenshots: 8 bits, RGB or RGBA, not interlaced."""
    assert picture[:8] == b"\x89PNG\r\n\x1a\n"
    place, packed = 8, b""
    while place < len(picture):
        length, kind = struct.unpack(">I4s", picture[place:place + 8])
        data = picture[place + 8:place + 8 + length]
        if kind == b"IHDR":
            width, height, depth, color, _, _, interlaced = struct.unpack(">IIBBBBB", data)
            assert depth == 8 and color in (2, 6) and not interlaced
        elif kind == b"IDAT":
            packed += data
        place += 12 + length
    size = 4 if color == 6 else 3
    raw, above, rows = zlib.decompress(packed), bytearray(width * size), []
    for y in range(height):
        start = y * (width * size + 1)
        row = bytearray(raw[start + 1:start + 1 + width * size])
        _unfilter(raw[start], row, above, size)
        rows.append(row)
        above = row
    return width, height, size, rows


def _unfilter(kind, row, above, size):
    for index in range(len(row)):
        left = row[index - size] if index >= size else 0
        corner = above[index - size] if index >= size else 0
        up = above[index]
        if kind == 1:
            row[index] = (row[index] + left) & 255
        elif kind == 2:
            row[index] = (row[index] + up) & 255
        elif kind == 3:
            row[index] = (row[index] + (left + up) // 2) & 255
        elif kind == 4:
            guess = left + up - corner
            near = min((abs(guess - left), 0, left), (abs(guess - up), 1, up), (abs(guess - corner), 2, corner))[2]
            row[index] = (row[index] + near) & 255


def seen_in(locator):
    """Returns the text of the code in an element as ZXing reads it from a screenshot, or None when it finds no code."""
    width, height, size, rows = _rows(locator.screenshot(animations="disabled"))
    grey = bytes((row[x] * 3 + row[x + 1] * 6 + row[x + 2]) // 10 for row in rows for x in range(0, width * size, size))
    found = zxingcpp.read_barcodes(memoryview(grey).cast("B", (height, width)))
    return found[0].text if found else None


def show_to_camera(path, text=None, is_damaged=False):
    """Writes the picture for Chromium's fake camera: a code, a damaged code, or no code."""
    luma = bytearray([LIGHT]) * (WIDTH * HEIGHT)
    if text is not None:
        modules = [list(row) for row in segno.make(text, error="m", micro=False).matrix]
        if is_damaged:
            # The finder patterns are intact, the area between them is not.
            for y, row in enumerate(modules):
                for x in range(len(row)):
                    if 9 <= y < len(modules) - 9 or 9 <= x < len(row) - 9:
                        row[x] = (x * 7 + y * 3) % 5 < 2
        scale = HEIGHT * 4 // 5 // (len(modules) + 2 * QUIET_MODULES)
        left = (WIDTH - scale * len(modules)) // 2
        top = (HEIGHT - scale * len(modules)) // 2
        for y, row in enumerate(modules):
            for x, dark in enumerate(row):
                if dark:
                    for line in range(scale):
                        start = (top + y * scale + line) * WIDTH + left + x * scale
                        luma[start:start + scale] = bytes([DARK]) * scale
    grey = bytes([128]) * (WIDTH * HEIGHT // 4)
    frame = b"FRAME\n" + bytes(luma) + grey + grey
    path.write_bytes(f"YUV4MPEG2 W{WIDTH} H{HEIGHT} F10:1 Ip A1:1 C420jpeg\n".encode() + frame * FRAMES)
