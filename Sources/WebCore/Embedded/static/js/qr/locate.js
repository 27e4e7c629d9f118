// Finds a QR code (ISO/IEC 18004) in a black and white picture by its three finder patterns ("eyes") and its alignment
// mark.
const LEAST_SEEN = 2;
const MOST_EYES = 12;
const EYE_MODULES = 7;

export function distance(a, b) {
  return Math.hypot(a.x - b.x, a.y - b.y);
}

/** The size of a module when the runs are dark, light, dark, light, dark as 1:1:3:1:1; otherwise 0. */
function eyeModule(runs) {
  const total = runs[0] + runs[1] + runs[2] + runs[3] + runs[4];
  if (total < EYE_MODULES || runs.includes(0)) return 0;
  const size = total / EYE_MODULES;
  const slack = size / 1.8;
  const fits = Math.abs(runs[0] - size) < slack && Math.abs(runs[1] - size) < slack
    && Math.abs(runs[2] - 3 * size) < 3 * slack && Math.abs(runs[3] - size) < slack && Math.abs(runs[4] - size) < slack;
  return fits ? size : 0;
}

/** Runs through (x, y) in the direction (dx, dy) and back; the middle run's centre, or null when it isn't an eye. */
function crossCheck(image, x, y, dx, dy, expectedTotal) {
  const { width, height, dark } = image;
  const at = (step) => {
    const px = x + step * dx;
    const py = y + step * dy;
    return px < 0 || py < 0 || px >= width || py >= height ? -1 : dark[py * width + px];
  };
  if (at(0) !== 1) return null;
  const runs = [0, 0, 0, 0, 0];
  const limit = expectedTotal * 2;
  let back = 0;
  for (const [run, colour] of [[2, 1], [1, 0], [0, 1]]) {
    while (at(back) === colour && runs[run] <= limit) {
      runs[run] += 1;
      back -= 1;
    }
  }
  let forth = 1;
  for (const [run, colour] of [[2, 1], [3, 0], [4, 1]]) {
    while (at(forth) === colour && runs[run] <= limit) {
      runs[run] += 1;
      forth += 1;
    }
  }
  const size = eyeModule(runs);
  if (!size || Math.abs(runs.reduce((sum, run) => sum + run) - expectedTotal) > 0.6 * expectedTotal) return null;
  return { offset: forth - runs[4] - runs[3] - runs[2] / 2 - 0.5, size };
}

function remember(eyes, x, y, size) {
  for (const eye of eyes) {
    if (Math.abs(eye.x - x) <= eye.size * 1.5 && Math.abs(eye.y - y) <= eye.size * 1.5
      && Math.abs(eye.size - size) <= Math.max(1, eye.size * 0.6)) {
      const count = eye.count + 1;
      eye.x += (x - eye.x) / count;
      eye.y += (y - eye.y) / count;
      eye.size += (size - eye.size) / count;
      eye.count = count;
      return;
    }
  }
  eyes.push({ x, y, size, count: 1 });
}

function findEyes(image) {
  const { width, height, dark } = image;
  const eyes = [];
  for (let y = 1; y < height; y += 2) {
    let runs = [0, 0, 0, 0, 0];
    let colour = 0;
    for (let x = 0; x <= width; x += 1) {
      const pixel = x < width ? dark[y * width + x] : -1;
      if (pixel === colour) {
        runs[4] += 1;
        continue;
      }
      // A dark run has just ended: the last five runs may go through an eye.
      const size = colour === 1 ? eyeModule(runs) : 0;
      if (size) {
        const total = size * EYE_MODULES;
        const middle = x - runs[4] - runs[3] - runs[2] / 2 - 0.5;
        const vertical = crossCheck(image, Math.round(middle), y, 0, 1, total);
        if (vertical) {
          const exactY = y + vertical.offset;
          const horizontal = crossCheck(image, Math.round(middle), Math.round(exactY), 1, 0, total);
          if (horizontal) {
            const exactX = Math.round(middle) + horizontal.offset;
            remember(eyes, exactX, exactY, (horizontal.size + vertical.size) / 2);
          }
        }
      }
      runs = [runs[1], runs[2], runs[3], runs[4], 1];
      colour = pixel;
    }
  }
  return eyes;
}

/** How far three eyes deviate from three corners of a square; 0 is a perfect match. */
function cornerError(eyes) {
  const [a, b, c] = [distance(eyes[1], eyes[2]), distance(eyes[0], eyes[2]), distance(eyes[0], eyes[1])].sort((p, q) => p - q);
  const sizes = eyes.map((eye) => eye.size);
  const unlike = Math.max(...sizes) / Math.min(...sizes) - 1;
  if (a < 2 * EYE_MODULES * Math.min(...sizes) / 2) return Infinity;
  return Math.abs(b / a - 1) + Math.abs(c / Math.hypot(a, b) - 1) * 2 + unlike;
}

function ordered(eyes) {
  const sides = [[0, 1, 2], [1, 0, 2], [2, 0, 1]];
  const [corner, one, other] = sides.reduce((best, side) => (
    distance(eyes[side[1]], eyes[side[2]]) > distance(eyes[best[1]], eyes[best[2]]) ? side : best));
  const topLeft = eyes[corner];
  let [topRight, bottomLeft] = [eyes[one], eyes[other]];
  const cross = (topRight.x - topLeft.x) * (bottomLeft.y - topLeft.y) - (topRight.y - topLeft.y) * (bottomLeft.x - topLeft.x);
  if (cross < 0) [topRight, bottomLeft] = [bottomLeft, topRight];
  return { topLeft, topRight, bottomLeft };
}

/** The likely corners of codes in the picture, the likeliest first: `{topLeft, topRight, bottomLeft}`. */
export function findCorners(image, limit = 6) {
  const found = findEyes(image);
  const sure = found.filter((eye) => eye.count >= LEAST_SEEN);
  const eyes = (sure.length >= 3 ? sure : found).sort((a, b) => b.count - a.count).slice(0, MOST_EYES);
  const triples = [];
  for (let a = 0; a < eyes.length; a += 1) {
    for (let b = a + 1; b < eyes.length; b += 1) {
      for (let c = b + 1; c < eyes.length; c += 1) {
        const triple = [eyes[a], eyes[b], eyes[c]];
        const error = cornerError(triple);
        if (error < 1.6) triples.push({ error, triple });
      }
    }
  }
  return triples.sort((a, b) => a.error - b.error).slice(0, limit).map(({ triple }) => ordered(triple));
}

/** The distance in pixels from the middle of an eye to its boundary in the direction of `to`: 3.5 modules. */
function reach(image, from, to) {
  const steps = Math.ceil(distance(from, to));
  const pixel = (step) => {
    const x = Math.round(from.x + ((to.x - from.x) * step) / steps);
    const y = Math.round(from.y + ((to.y - from.y) * step) / steps);
    return x < 0 || y < 0 || x >= image.width || y >= image.height ? 0 : image.dark[y * image.width + x];
  };
  let changes = 0;
  for (let step = 1; step < steps; step += 1) {
    if (pixel(step) !== pixel(step - 1)) changes += 1;
    if (changes === 3) return step - 0.5;
  }
  return 0;
}

/** A module's size in pixels along the side from one eye to another. */
function moduleAlong(image, from, to) {
  const outside = { x: 2 * from.x - to.x, y: 2 * from.y - to.y };
  const beyond = { x: 2 * to.x - from.x, y: 2 * to.y - from.y };
  const measures = [reach(image, from, to) + reach(image, from, outside), reach(image, to, from) + reach(image, to, beyond)]
    .filter((length) => length > 0);
  const mean = measures.reduce((sum, length) => sum + length, 0) / (measures.length || 1);
  return mean / EYE_MODULES;
}

/** The size of a module, and the likely numbers of modules of a side, the likeliest first. */
export function measure(image, { topLeft, topRight, bottomLeft }) {
  const across = moduleAlong(image, topLeft, topRight);
  const down = moduleAlong(image, topLeft, bottomLeft);
  const size = across && down ? (across + down) / 2 : (topLeft.size + topRight.size + bottomLeft.size) / 3;
  const modules = (distance(topLeft, topRight) + distance(topLeft, bottomLeft)) / 2 / size + EYE_MODULES;
  const nearest = Math.round((modules - 17) / 4) * 4 + 17;
  const sides = [0, modules > nearest ? 4 : -4, modules > nearest ? -4 : 4].map((step) => nearest + step);
  return { size, sides: sides.filter((side) => side >= 21 && side <= 177) };
}

/** Whether the runs of a row through the alignment mark fit: dark, light, dark, light, dark of one module each. */
function markAt(image, x, y, dx, dy, size) {
  const { width, height, dark } = image;
  const at = (step) => {
    const px = x + step * dx;
    const py = y + step * dy;
    return px < 0 || py < 0 || px >= width || py >= height ? -1 : dark[py * width + px];
  };
  if (at(0) !== 1) return null;
  let back = 0;
  while (at(back) === 1 && -back <= 2 * size) back -= 1;
  let forth = 0;
  while (at(forth) === 1 && forth <= 2 * size) forth += 1;
  let lightBack = back;
  while (at(lightBack) === 0 && back - lightBack <= 2 * size) lightBack -= 1;
  let lightForth = forth;
  while (at(lightForth) === 0 && lightForth - forth <= 2 * size) lightForth += 1;
  const runs = [back - lightBack, forth - back - 1, lightForth - forth];
  const fits = runs.every((run) => run > size * 0.4 && run < size * 1.7) && at(lightBack) === 1 && at(lightForth) === 1;
  return fits ? (forth + back) / 2 : null;
}

/** The middle of the alignment mark near `expected`; null if there is none. */
export function findMark(image, expected, size) {
  let best = null;
  for (const modules of [4, 8, 14]) {
    const range = Math.ceil(modules * size);
    const step = Math.max(1, Math.floor(size / 3));
    for (let y = Math.round(expected.y) - range; y <= expected.y + range; y += step) {
      for (let x = Math.round(expected.x) - range; x <= expected.x + range; x += 1) {
        const across = markAt(image, x, y, 1, 0, size);
        if (across === null || Math.abs(across) > size) continue;
        const middle = Math.round(x + across);
        const down = markAt(image, middle, y, 0, 1, size);
        if (down === null) continue;
        const mark = { x: x + across, y: y + down };
        if (!best || distance(mark, expected) < distance(best, expected)) best = mark;
      }
    }
    if (best) return best;
  }
  return null;
}
