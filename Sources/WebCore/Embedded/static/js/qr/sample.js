// Reads the modules of a code from a picture that was taken at an angle.

/** The projection that maps the unit square's corners (0,0), (1,0), (1,1), (0,1) to four points. */
function fromSquare([p0, p1, p2, p3]) {
  const dx3 = p0.x - p1.x + p2.x - p3.x;
  const dy3 = p0.y - p1.y + p2.y - p3.y;
  const dx1 = p1.x - p2.x;
  const dx2 = p3.x - p2.x;
  const dy1 = p1.y - p2.y;
  const dy2 = p3.y - p2.y;
  const denominator = dx1 * dy2 - dx2 * dy1;
  const a13 = (dx3 * dy2 - dx2 * dy3) / denominator;
  const a23 = (dx1 * dy3 - dx3 * dy1) / denominator;
  return [
    p1.x - p0.x + a13 * p1.x, p3.x - p0.x + a23 * p3.x, p0.x,
    p1.y - p0.y + a13 * p1.y, p3.y - p0.y + a23 * p3.y, p0.y,
    a13, a23, 1,
  ];
}

/** @param {number[]} matrix */
function adjoint([a, b, c, d, e, f, g, h, i]) {
  return [
    e * i - f * h, c * h - b * i, b * f - c * e,
    f * g - d * i, a * i - c * g, c * d - a * f,
    d * h - e * g, b * g - a * h, a * e - b * d,
  ];
}

function product(m, n) {
  const result = [];
  for (let row = 0; row < 3; row += 1) {
    for (let column = 0; column < 3; column += 1) {
      result.push(m[row * 3] * n[column] + m[row * 3 + 1] * n[column + 3] + m[row * 3 + 2] * n[column + 6]);
    }
  }
  return result;
}

/** The projection from four points of the code (in modules) to four points of the picture (in pixels). */
export function projection(modules, pixels) {
  return product(fromSquare(pixels), adjoint(fromSquare(modules)));
}

/** The code's modules, row by row, 1 for dark; null if the code extends beyond the picture. */
export function sample(image, matrix, side) {
  const { width, height, dark } = image;
  const bits = new Uint8Array(side * side);
  for (let row = 0; row < side; row += 1) {
    for (let column = 0; column < side; column += 1) {
      const x = column + 0.5;
      const y = row + 0.5;
      const scale = matrix[6] * x + matrix[7] * y + matrix[8];
      const px = Math.round((matrix[0] * x + matrix[1] * y + matrix[2]) / scale);
      const py = Math.round((matrix[3] * x + matrix[4] * y + matrix[5]) / scale);
      if (!(px >= -1 && py >= -1 && px <= width && py <= height)) return null;
      const inside = Math.min(Math.max(py, 0), height - 1) * width + Math.min(Math.max(px, 0), width - 1);
      bits[row * side + column] = dark[inside];
    }
  }
  return { side, bits };
}
