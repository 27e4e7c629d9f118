// From the modules of a QR code to its text (ISO/IEC 18004).
import { correct } from "./correct.js";
import { CHECK_BYTES, BLOCKS } from "./tables.js";

// The two bits of the level in the format information.
const LEVELS = { 1: "L", 0: "M", 3: "Q", 2: "H" };
const FORMAT_MASK = 0x5412;
const FORMAT_POLYNOMIAL = 0x537;
const MOST_FORMAT_ERRORS = 3;

const MASKS = [
  (x, y) => (x + y) % 2 === 0,
  (_, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => x * y % 2 + x * y % 3 === 0,
  (x, y) => (x * y % 2 + x * y % 3) % 2 === 0,
  (x, y) => ((x + y) % 2 + x * y % 3) % 2 === 0,
];

function formatWord(data) {
  let rest = data << 10;
  for (let bit = 14; bit >= 10; bit -= 1) {
    if (rest >> bit & 1) rest ^= FORMAT_POLYNOMIAL << (bit - 10);
  }
  return (data << 10 | rest) ^ FORMAT_MASK;
}

const FORMATS = Array.from({ length: 32 }, (_, data) => formatWord(data));

function differences(a, b) {
  let count = 0;
  for (let rest = a ^ b; rest; rest &= rest - 1) count += 1;
  return count;
}

/** Level and mask, from the less damaged of the two copies; null when both are lost. */
function readFormat({ side, bits }) {
  const at = (x, y) => bits[y * side + x];
  let first = 0;
  let second = 0;
  const add = (word, bit) => word << 1 | bit;
  for (let x = 0; x <= 8; x += 1) if (x !== 6) first = add(first, at(x, 8));
  for (let y = 7; y >= 0; y -= 1) if (y !== 6) first = add(first, at(8, y));
  for (let y = side - 1; y >= side - 7; y -= 1) second = add(second, at(8, y));
  for (let x = side - 8; x < side; x += 1) second = add(second, at(x, 8));
  let best = null;
  for (const [data, word] of FORMATS.entries()) {
    const errors = Math.min(differences(word, first), differences(word, second));
    if (errors <= MOST_FORMAT_ERRORS && (!best || errors < best.errors)) best = { errors, data };
  }
  return best && { level: LEVELS[best.data >> 3], mask: best.data & 7 };
}

function markPositions(version) {
  if (version === 1) return [];
  const count = Math.floor(version / 7) + 2;
  const side = version * 4 + 17;
  const step = Math.floor((version * 8 + count * 3 + 5) / (count * 4 - 4)) * 2;
  const places = [6];
  for (let index = count - 2; index >= 0; index -= 1) places.splice(1, 0, side - 7 - (count - 2 - index) * step);
  return places;
}

/** The modules without data: finder patterns, timing lines, alignment marks, format and version. */
function reserved(version) {
  const side = version * 4 + 17;
  const taken = new Uint8Array(side * side);
  const take = (left, top, width, height) => {
    for (let y = top; y < top + height; y += 1) taken.fill(1, y * side + left, y * side + left + width);
  };
  take(0, 0, 9, 9);
  take(side - 8, 0, 8, 9);
  take(0, side - 8, 9, 8);
  take(6, 0, 1, side);
  take(0, 6, side, 1);
  const places = markPositions(version);
  const last = places.length - 1;
  places.forEach((x, column) => places.forEach((y, row) => {
    const isEye = (column === 0 && row === 0) || (column === 0 && row === last) || (column === last && row === 0);
    if (!isEye) take(x - 2, y - 2, 5, 5);
  }));
  if (version >= 7) {
    take(side - 11, 0, 3, 6);
    take(0, side - 11, 6, 3);
  }
  return taken;
}

function codewords({ side, bits }, version, mask) {
  const taken = reserved(version);
  const isFlipped = MASKS[mask];
  const bytes = [];
  let byte = 0;
  let count = 0;
  let upwards = true;
  for (let right = side - 1; right > 0; right -= 2) {
    if (right === 6) right -= 1;
    for (let step = 0; step < side; step += 1) {
      const y = upwards ? side - 1 - step : step;
      for (const x of [right, right - 1]) {
        if (taken[y * side + x]) continue;
        byte = byte << 1 | (bits[y * side + x] ^ (isFlipped(x, y) ? 1 : 0));
        count += 1;
        if (count % 8 === 0) {
          bytes.push(byte);
          byte = 0;
        }
      }
    }
    upwards = !upwards;
  }
  return bytes;
}

/** The data bytes with errors corrected; null when there are too many errors. */
function dataOf(bytes, version, level) {
  const blockCount = BLOCKS[level][version - 1];
  const checkBytes = CHECK_BYTES[level][version - 1];
  const shortLength = Math.floor(bytes.length / blockCount);
  const shortBlocks = blockCount - bytes.length % blockCount;
  const blocks = Array.from({ length: blockCount }, () => []);
  let next = 0;
  for (let index = 0; index < shortLength - checkBytes + 1; index += 1) {
    for (let block = 0; block < blockCount; block += 1) {
      if (index < shortLength - checkBytes || block >= shortBlocks) blocks[block].push(bytes[next++]);
    }
  }
  for (let index = 0; index < checkBytes; index += 1) {
    for (const block of blocks) block.push(bytes[next++]);
  }
  const data = [];
  for (const block of blocks) {
    if (!correct(block, checkBytes)) return null;
    data.push(...block.slice(0, block.length - checkBytes));
  }
  return data;
}

class BitReader {
  constructor(bytes) {
    this.bytes = bytes;
    this.place = 0;
  }

  get left() {
    return this.bytes.length * 8 - this.place;
  }

  read(count) {
    if (count > this.left) throw new RangeError("The code ends in the middle of a value.");
    let value = 0;
    for (let bit = 0; bit < count; bit += 1, this.place += 1) {
      value = value << 1 | (this.bytes[this.place >> 3] >> (7 - this.place % 8) & 1);
    }
    return value;
  }
}

const ALPHANUMERIC = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:";
const MODES = { numeric: 1, alphanumeric: 2, byte: 4, extended: 7 };

function digits(reader, count) {
  let text = "";
  for (let left = count; left > 0; left -= 3) {
    const length = Math.min(left, 3);
    text += String(reader.read(length * 3 + 1)).padStart(length, "0");
  }
  return text;
}

function letters(reader, count) {
  let text = "";
  for (let left = count; left > 0; left -= 2) {
    const value = reader.read(left > 1 ? 11 : 6);
    text += left > 1 ? ALPHANUMERIC[Math.floor(value / 45)] + ALPHANUMERIC[value % 45] : ALPHANUMERIC[value];
  }
  return text;
}

/** The text; null for content types that links don't use. */
function textOf(data, version) {
  const reader = new BitReader(data);
  const size = version < 10 ? 0 : version < 27 ? 1 : 2;
  let text = "";
  while (reader.left >= 4) {
    const mode = reader.read(4);
    if (mode === 0) break;
    if (mode === MODES.numeric) {
      text += digits(reader, reader.read([10, 12, 14][size]));
    } else if (mode === MODES.alphanumeric) {
      text += letters(reader, reader.read([9, 11, 13][size]));
    } else if (mode === MODES.byte) {
      const bytes = Array.from({ length: reader.read([8, 16, 16][size]) }, () => reader.read(8));
      text += new TextDecoder().decode(new Uint8Array(bytes));
    } else if (mode === MODES.extended) {
      if (reader.read(1)) reader.read(reader.read(1) ? 21 : 14);
      else reader.read(7);
    } else {
      return null;
    }
  }
  return text;
}

function mirrored({ side, bits }) {
  const turned = new Uint8Array(bits.length);
  for (let y = 0; y < side; y += 1) for (let x = 0; x < side; x += 1) turned[x * side + y] = bits[y * side + x];
  return { side, bits: turned };
}

function decodeUpright(modules) {
  const version = (modules.side - 17) / 4;
  const format = readFormat(modules);
  if (!format) return null;
  const data = dataOf(codewords(modules, version, format.mask), version, format.level);
  try {
    return data && textOf(data, version);
  } catch (problem) {
    if (problem instanceof RangeError) return null;
    throw problem;
  }
}

/** The text of a code, its modules row by row; null when it can't be read. A mirrored code is read, too. */
export function decode(modules) {
  return decodeUpright(modules) ?? decodeUpright(mirrored(modules));
}
