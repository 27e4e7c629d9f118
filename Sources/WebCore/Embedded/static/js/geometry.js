// Distances on the globe, by the same formula and radius as the server.
const EARTH_RADIUS_METRES = 6_371_008.8;

export function metresBetween(from, to) {
  const radians = (degrees) => (degrees * Math.PI) / 180;
  const latitude = radians(to.latitude - from.latitude);
  const longitude = radians(to.longitude - from.longitude);
  const half = Math.sin(latitude / 2) ** 2
    + Math.cos(radians(from.latitude)) * Math.cos(radians(to.latitude)) * Math.sin(longitude / 2) ** 2;
  return 2 * EARTH_RADIUS_METRES * Math.asin(Math.min(1, Math.sqrt(half)));
}

/** Returns the longitude, in whole turns more or less, that is the nearest to another one. */
export function nearest(longitude, reference) {
  return longitude - 360 * Math.round((longitude - reference) / 360);
}

/** The corners ([latitude, longitude]) of an area without a jump at the antimeridian, so beyond 180 degrees. */
export function unwrapped(corners) {
  let reference = corners[0]?.[1] ?? 0;
  return corners.map(([latitude, longitude]) => {
    reference = nearest(longitude, reference);
    return [latitude, reference];
  });
}

/** The area, and the same one a turn to the east and west if it crosses the antimeridian: the map shows one world. */
export function copies(corners) {
  const area = unwrapped(corners);
  if (area.every(([, longitude]) => Math.abs(longitude) <= 180)) return [area];
  return [0, -360, 360].map((turn) => area.map(([latitude, longitude]) => [latitude, longitude + turn]));
}
