"""The part of the Protocol Buffers wire format (https://protobuf.dev/programming-guides/encoding) that Chromium's push
client uses."""

import io
import struct

VARINT, FIXED_64, BYTES, FIXED_32 = 0, 1, 2, 5


def varint(number):
    out = b""
    while True:
        out += bytes([number & 127 | (128 if number > 127 else 0)])
        number >>= 7
        if not number:
            return out


def bytes_field(field, value):
    return varint(field << 3 | BYTES) + varint(len(value)) + value


def number_field(field, value):
    return varint(field << 3 | VARINT) + varint(value)


def fixed_field(field, value):
    return varint(field << 3 | FIXED_64) + struct.pack("<Q", value)


def read_varint(read):
    """Reads the next number with `read(count)`."""
    number = shift = 0
    while True:
        byte = read(1)[0]
        number |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return number


def texts(message, field):
    """Returns the values of a repeated text field of a message."""
    content = io.BytesIO(message)
    found = []
    while content.tell() < len(message):
        key = read_varint(content.read)
        kind = key & 7
        if kind == VARINT:
            read_varint(content.read)
            continue
        value = content.read(read_varint(content.read) if kind == BYTES else {FIXED_64: 8, FIXED_32: 4}[kind])
        if key >> 3 == field:
            found.append(value.decode())
    return found
