// Draws QR codes like a camera picture.
const QUIET_MODULES = 4;
const SURROUNDINGS = 0xbb;
// A Gaussian is close to zero at three times its deviation.
const BLUR_DEVIATIONS = 3;

function blurredRows(light, size, deviation) {
  const reach = Math.ceil(BLUR_DEVIATIONS * deviation);
  const weight = (distance) => Math.exp(-(distance ** 2) / (2 * deviation ** 2));
  const weights = Array.from({ length: 2 * reach + 1 }, (_, at) => weight(at - reach));
  const sum = weights.reduce((one, other) => one + other);
  // The result is transposed, so that a second call blurs the columns and turns the picture back.
  const blurred = new Float64Array(light.length);
  for (let y = 0; y < size; y += 1) {
    for (let x = 0; x < size; x += 1) {
      let total = 0;
      for (let step = -reach; step <= reach; step += 1) {
        total += weights[step + reach] * light[y * size + Math.min(size - 1, Math.max(0, x + step))];
      }
      blurred[x * size + y] = total / sum;
    }
  }
  return blurred;
}

/** Returns the picture, like an ImageData, of a code in the middle of a grey square. `size` is the square's side in
 * pixels, and `scale` the code's share of it. Without them, each module has four pixels and the code fills the
 * square. `tilt` moves the code's right side away from the camera. */
export function picture(rows, view) {
  const { size, scale = 1, angle = 0, skew = 0, tilt = 0, blur = 0, noise = 0, shade = 0, isMirrored = false } = view;
  const modules = rows.length + 2 * QUIET_MODULES;
  const length = size ?? 4 * modules;
  // Several samples of a pixel, in each direction, give edges the shades between black and white. Modules of whole
  // pixels have none.
  const samples = size ? 2 : 1;
  const module = (length * scale) / modules;
  const [sine, cosine] = [Math.sin(angle), Math.cos(angle)];
  const determinant = 1 - skew ** 2 / 2;

  function lightAt(x, y) {
    const nearness = 1 - (tilt * x) / length;
    const turnedX = (cosine * x + sine * y) / nearness;
    const turnedY = (cosine * y - sine * x) / nearness;
    const straightX = (turnedX - (skew / 2) * turnedY) / determinant;
    const straightY = (turnedY - skew * turnedX) / determinant;
    const column = Math.floor((isMirrored ? -straightX : straightX) / module + modules / 2);
    const row = Math.floor(straightY / module + modules / 2);
    if (column < 0 || row < 0 || column >= modules || row >= modules) return SURROUNDINGS;
    return rows[row - QUIET_MODULES]?.[column - QUIET_MODULES] === "1" ? 0 : 255;
  }

  let light = new Float64Array(length * length);
  for (let y = 0; y < length * samples; y += 1) {
    for (let x = 0; x < length * samples; x += 1) {
      const place = Math.floor(y / samples) * length + Math.floor(x / samples);
      light[place] += lightAt((x + 0.5) / samples - length / 2, (y + 0.5) / samples - length / 2) / samples ** 2;
    }
  }
  if (blur > 0) light = blurredRows(blurredRows(light, length, blur), length, blur);

  const data = new Uint8ClampedArray(4 * light.length);
  let seed = 1;
  for (let place = 0; place < light.length; place += 1) {
    seed = (seed * 16_807) % 2_147_483_647;
    const grain = (seed / 2_147_483_647 - 0.5) * noise;
    const shown = light[place] * (1 - (shade * (place % length)) / length) + grain;
    for (let part = 0; part < 3; part += 1) data[4 * place + part] = shown;
    data[4 * place + 3] = 255;
  }
  return { data, width: length, height: length };
}
