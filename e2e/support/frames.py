"""Frames of Bluetooth messages, and the contents of a packed message (docs/tracker-protocol.md)."""

import uuid

FRAME_BYTES = 180
FIRST, LAST, NUMBERS = 0x80, 0x40, 64


def kind_of(frame):
    """Returns the kind of the message that a first frame begins, or an empty string for any other frame."""
    return chr(frame[1]) if frame[0] & FIRST and len(frame) > 1 else ""


def frames(kind, content):
    rest, cut = kind.encode() + content, []
    while rest or not cut:
        part, rest = rest[:FRAME_BYTES - 1], rest[FRAME_BYTES - 1:]
        cut.append(bytes([(FIRST if not cut else 0) | (0 if rest else LAST) | len(cut) % NUMBERS]) + part)
    return cut


class Joiner:
    """Joins the frames of a message. A frame out of order discards the frames received so far."""

    def __init__(self):
        self._parts = None

    def take(self, frame):
        """Returns the kind and content of the message that this frame completes, or None if it is incomplete."""
        if frame[0] & FIRST:
            self._parts = []
        if self._parts is None or frame[0] % NUMBERS != len(self._parts) % NUMBERS:
            self._parts = None
            return None
        self._parts.append(frame[1:])
        if not frame[0] & LAST:
            return None
        whole, self._parts = b"".join(self._parts), None
        return chr(whole[0]), whole[1:]


def packed(content):
    """Returns the id, body and signature of a packed message."""
    return str(uuid.UUID(bytes=content[:16])), content[16:-32], content[-32:]
