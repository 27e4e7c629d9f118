// The map of an alert: the positions that a rule compared, with circles for their accuracy, and the place of the rule.
// The page lists the same positions as text, each with its mark.
import { copies, nearest } from "./geometry.js";
import { build, loadLibrary } from "./map.js";
import { guide } from "./map-view.js";
export { loadLibrary };
/* global L */

const KEY_PIXELS = 20;

export async function show(element) {
  let evidence;
  try {
    const answer = await fetch(element.dataset.alertMap, { headers: { Accept: "application/json" } });
    if (!answer.ok) throw new Error(String(answer.status));
    [{ evidence }] = await Promise.all([answer.json(), loadLibrary()]);
  } catch {
    // The page lists the positions, too.
    element.hidden = true;
    return;
  }
  const map = build(element);
  const style = { interactive: false, className: "map-accuracy" };
  const bounds = L.latLngBounds([]);
  const addCircle = (place, radius) => {
    L.circle(place, { ...style, radius }).addTo(map);
    bounds.extend(place.toBounds(2 * Math.max(radius, 20)));
  };
  const { area } = evidence;
  if (area?.outline.length) {
    const areas = copies(area.outline);
    L.polygon(areas.map((one) => [one]), style).addTo(map);
    bounds.extend(L.latLngBounds(areas[0]));
  } else if (area) {
    addCircle(L.latLng(area.latitude, area.longitude), area.radiusMetres);
  }
  for (const position of evidence.positions) {
    const reference = bounds.isValid() ? bounds.getCenter().lng : position.longitude;
    const place = L.latLng(position.latitude, nearest(position.longitude, reference));
    addCircle(place, position.accuracyMetres ?? 0);
    const key = document.createElement("span");
    key.className = "map-key";
    key.dataset.role = position.role;
    const icon = L.divIcon({ className: "map-role", iconSize: [KEY_PIXELS, KEY_PIXELS], html: key });
    L.marker(place, { icon, interactive: false, keyboard: false }).addTo(map);
  }
  const points = () => [bounds.getSouthWest(), bounds.getNorthEast()];
  const view = guide(map, { points, anchor: () => bounds.getCenter() });
  view.recentre();
  element.dataset.positions = String(evidence.positions.length);
  new ResizeObserver(view.resized).observe(element);
}
