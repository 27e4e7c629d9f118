// Reads a QR code from a picture, for browsers without a barcode detector.
import { binarize, greyOf } from "./binarize.js";
import { decode } from "./decode.js";
import { findCorners, findMark, measure } from "./locate.js";
import { projection, sample } from "./sample.js";

// From an eye's middle to the boundary of the code.
const EYE_MIDDLE = 3.5;
// From the far corner of the code to the middle of its last alignment mark.
const MARK_MIDDLE = 6.5;

function readAt(image, corners, side, size) {
  const { topLeft, topRight, bottomLeft } = corners;
  const far = side - EYE_MIDDLE;
  const opposite = { x: topRight.x - topLeft.x + bottomLeft.x, y: topRight.y - topLeft.y + bottomLeft.y };
  const eyes = [{ x: EYE_MIDDLE, y: EYE_MIDDLE }, { x: far, y: EYE_MIDDLE }];
  const tries = [];
  if (side > 21) {
    const share = 1 - 3 / (side - 7);
    const expected = { x: topLeft.x + share * (opposite.x - topLeft.x), y: topLeft.y + share * (opposite.y - topLeft.y) };
    const mark = findMark(image, expected, size);
    if (mark) tries.push([{ x: side - MARK_MIDDLE, y: side - MARK_MIDDLE }, mark]);
  }
  tries.push([{ x: far, y: far }, opposite]);
  for (const [module, pixel] of tries) {
    const matrix = projection([...eyes, module, { x: EYE_MIDDLE, y: far }], [topLeft, topRight, pixel, bottomLeft]);
    const modules = sample(image, matrix, side);
    const text = modules && decode(modules);
    if (text !== null && text !== undefined && text !== "") return text;
  }
  return null;
}

/** The text of the code in a picture (an ImageData); null if there is no readable code. */
export function readCode({ data, width, height }) {
  const image = binarize(greyOf(data), width, height);
  if (!image) return null;
  for (const corners of findCorners(image)) {
    const { size, sides } = measure(image, corners);
    for (const side of sides) {
      const text = readAt(image, corners, side, size);
      if (text !== null) return text;
    }
  }
  return null;
}
