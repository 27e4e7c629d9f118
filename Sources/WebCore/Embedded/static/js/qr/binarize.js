// From shades of grey to black and white, with a threshold for the brightness of each part of the picture.
const BLOCK = 8;
const NEIGHBOURS = 2;
// Less contrast than this inside a block is noise: the block is all paper, or all ink.
const LEAST_CONTRAST = 24;

/** Brightness of each pixel, 0 to 255, of an ImageData's `data`. */
export function greyOf(pixels) {
  const grey = new Uint8Array(pixels.length >> 2);
  for (let from = 0, to = 0; to < grey.length; from += 4, to += 1) {
    grey[to] = (pixels[from] * 77 + pixels[from + 1] * 151 + pixels[from + 2] * 28) >> 8;
  }
  return grey;
}

/** The value between ink and paper in each block. */
function thresholds(grey, width, height, columns, rows) {
  const values = new Uint8Array(columns * rows);
  for (let row = 0; row < rows; row += 1) {
    const top = Math.min(row * BLOCK, height - BLOCK);
    for (let column = 0; column < columns; column += 1) {
      const left = Math.min(column * BLOCK, width - BLOCK);
      let sum = 0, least = 255, most = 0;
      for (let y = top; y < top + BLOCK; y += 1) {
        for (let x = left; x < left + BLOCK; x += 1) {
          const value = grey[y * width + x];
          sum += value;
          if (value < least) least = value;
          if (value > most) most = value;
        }
      }
      let value = sum / (BLOCK * BLOCK);
      if (most - least <= LEAST_CONTRAST) {
        value = least / 2;
        if (row > 0 && column > 0) {
          // Inside a large dark part, the neighbouring blocks give a better threshold.
          const above = values[(row - 1) * columns + column];
          const before = values[row * columns + column - 1];
          const corner = values[(row - 1) * columns + column - 1];
          const around = (above + 2 * before + corner) / 4;
          if (least < around) value = around;
        }
      }
      values[row * columns + column] = value;
    }
  }
  return values;
}

/** 1 for each dark pixel; null for a picture that is too small to contain a code. */
export function binarize(grey, width, height) {
  if (width < 5 * BLOCK || height < 5 * BLOCK) return null;
  const columns = Math.ceil(width / BLOCK);
  const rows = Math.ceil(height / BLOCK);
  const values = thresholds(grey, width, height, columns, rows);
  const dark = new Uint8Array(width * height);
  for (let row = 0; row < rows; row += 1) {
    const middleRow = Math.min(Math.max(row, NEIGHBOURS), rows - 1 - NEIGHBOURS);
    for (let column = 0; column < columns; column += 1) {
      const middle = Math.min(Math.max(column, NEIGHBOURS), columns - 1 - NEIGHBOURS);
      let sum = 0;
      for (let y = middleRow - NEIGHBOURS; y <= middleRow + NEIGHBOURS; y += 1) {
        for (let x = middle - NEIGHBOURS; x <= middle + NEIGHBOURS; x += 1) sum += values[y * columns + x];
      }
      const threshold = sum / (2 * NEIGHBOURS + 1) ** 2;
      const bottom = Math.min((row + 1) * BLOCK, height);
      const right = Math.min((column + 1) * BLOCK, width);
      for (let y = row * BLOCK; y < bottom; y += 1) {
        for (let x = column * BLOCK; x < right; x += 1) dark[y * width + x] = grey[y * width + x] <= threshold ? 1 : 0;
      }
    }
  }
  return { width, height, dark };
}
