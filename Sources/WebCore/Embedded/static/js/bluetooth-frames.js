// Messages over Bluetooth: each is cut into frames that fit into one write or notification, numbered so that a lost one
// is detected. (docs/tracker-protocol.md)
const FRAME_BYTES = 180;
const FIRST = 0x80;
const LAST = 0x40;
const NUMBERS = 64;
const MESSAGE_BYTES_LIMIT = 64 * 1024 + 48;

/** The frames of a message. Its kind is one letter, its content bytes. */
export function cut(kind, content) {
  const frames = [];
  let rest = content;
  do {
    const isFirst = frames.length === 0;
    const room = FRAME_BYTES - (isFirst ? 2 : 1);
    const part = rest.subarray(0, room);
    rest = rest.subarray(room);
    const head = (isFirst ? FIRST : 0) | (rest.length === 0 ? LAST : 0) | frames.length % NUMBERS;
    frames.push(Uint8Array.of(head, ...(isFirst ? [kind.charCodeAt(0)] : []), ...part));
  } while (rest.length > 0);
  return frames;
}

/** Returns a function that takes frames one by one and returns the message {kind, content} that the last frame
 * completes. */
export function joiner() {
  let parts = null;
  let size = 0;
  return (frame) => {
    if (frame.length === 0) return null;
    const isFirst = (frame[0] & FIRST) !== 0;
    if (isFirst) {
      parts = [];
      size = 0;
    }
    // Out of order: the rest of the message is discarded, until another begins.
    if (!parts || frame[0] % NUMBERS !== parts.length % NUMBERS) {
      parts = null;
      return null;
    }
    parts.push(frame.subarray(1));
    size += frame.length - 1;
    if (size > MESSAGE_BYTES_LIMIT + 1) parts = null;
    if (!parts || (frame[0] & LAST) === 0) return null;
    const whole = joined(parts);
    parts = null;
    return whole.length > 0 ? { kind: String.fromCharCode(whole[0]), content: whole.subarray(1) } : null;
  };
}

export function joined(parts) {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let place = 0;
  for (const part of parts) {
    whole.set(part, place);
    place += part.length;
  }
  return whole;
}

export function hex(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export function bytesOfHex(text) {
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

export function base64(bytes) {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}

export function bytesOfBase64(text) {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}
