// Reed–Solomon over GF(256) with the polynomial 0x11D, as QR codes use it (ISO/IEC 18004, 7.5 and annex B).
const EXP = new Uint8Array(512);
const LOG = new Uint8Array(256);
for (let power = 0, value = 1; power < 255; power += 1) {
  EXP[power] = EXP[power + 255] = value;
  LOG[value] = power;
  value = value << 1 ^ (value & 0x80 ? 0x11D : 0);
}

const times = (a, b) => (a && b ? EXP[LOG[a] + LOG[b]] : 0);
const inverse = (a) => EXP[255 - LOG[a]];

/** The polynomial's value, its coefficients lowest power first. */
function valueAt(polynomial, x) {
  let value = 0;
  for (let power = polynomial.length - 1; power >= 0; power -= 1) value = times(value, x) ^ polynomial[power];
  return value;
}

/** Berlekamp–Massey: the polynomial whose roots are the positions of the errors. */
function errorLocator(syndromes) {
  let locator = [1];
  let previous = [1];
  let gap = 1;
  let lastDiscrepancy = 1;
  let errors = 0;
  for (let step = 0; step < syndromes.length; step += 1) {
    let discrepancy = 0;
    for (let index = 0; index <= errors; index += 1) discrepancy ^= times(locator[index] ?? 0, syndromes[step - index] ?? 0);
    if (discrepancy === 0) {
      gap += 1;
      continue;
    }
    const factor = times(discrepancy, inverse(lastDiscrepancy));
    const next = [...locator];
    previous.forEach((coefficient, power) => {
      next[power + gap] = (next[power + gap] ?? 0) ^ times(factor, coefficient);
    });
    if (2 * errors <= step) {
      errors = step + 1 - errors;
      previous = locator;
      lastDiscrepancy = discrepancy;
      gap = 1;
    } else {
      gap += 1;
    }
    locator = Array.from(next, (coefficient) => coefficient ?? 0);
  }
  return { locator, errors };
}

/** Corrects a block (data, then check bytes) in place; false when there are more errors than can be corrected. */
export function correct(block, checkBytes) {
  const syndromes = [];
  for (let power = 0; power < checkBytes; power += 1) {
    let value = 0;
    for (const byte of block) value = times(value, EXP[power]) ^ byte;
    syndromes.push(value);
  }
  if (syndromes.every((value) => value === 0)) return true;
  const { locator, errors } = errorLocator(syndromes);
  if (2 * errors > checkBytes) return false;
  const evaluator = new Array(checkBytes).fill(0);
  for (let power = 0; power < checkBytes; power += 1) {
    for (let index = 0; index <= power; index += 1) {
      evaluator[power] ^= times(syndromes[index], locator[power - index] ?? 0);
    }
  }
  let corrected = 0;
  for (let place = 0; place < block.length; place += 1) {
    const root = EXP[(255 - place % 255) % 255];
    if (valueAt(locator, root) !== 0) continue;
    // Forney: the value of the error is the evaluator over the locator's derivative, which in this field is its odd part.
    let slope = 0;
    for (let power = 1; power < locator.length; power += 2) slope ^= times(locator[power], valueOfPower(root, power - 1));
    if (slope === 0) return false;
    const magnitude = times(times(valueAt(evaluator, root), inverse(slope)), EXP[place % 255]);
    block[block.length - 1 - place] ^= magnitude;
    corrected += 1;
  }
  return corrected === errors;
}

function valueOfPower(root, power) {
  return power === 0 ? 1 : EXP[LOG[root] * power % 255];
}
