// The map in a safe place's form: shows the circle that the fields define, and a tap moves it. The fields stay
// authoritative, so that the form works without the map.
import { build, loadLibrary } from "./map.js";
import { guide } from "./map-view.js";
export { loadLibrary };
/* global L */

const DIGITS = 6;
const WAIT = { enableHighAccuracy: true, maximumAge: 10_000, timeout: 20_000 };

/** The value of the fields: {latitude, longitude, radius}, or null if they are invalid. */
export function read(values) {
  const number = (text) => (text.trim() === "" ? NaN : Number(text.trim().replace(",", ".")));
  const [latitude, longitude, radius] = [values.latitude, values.longitude, values.radiusMetres].map(number);
  if (!(Math.abs(latitude) <= 90) || !(Math.abs(longitude) <= 180)) return null;
  return { latitude, longitude, radius: radius > 0 ? radius : 0 };
}

function fieldsOf(element, name) {
  const { elements } = /** @type {any} */ (document.getElementById(element.dataset[name]));
  return { latitude: elements.latitude, longitude: elements.longitude, radiusMetres: elements.radiusMetres };
}

function put(fields, latitude, longitude) {
  fields.latitude.value = latitude.toFixed(DIGITS);
  fields.longitude.value = longitude.toFixed(DIGITS);
  for (const field of [fields.latitude, fields.longitude]) {
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }
}

export async function show(element) {
  await loadLibrary();
  const map = build(element);
  const circle = L.layerGroup().addTo(map);
  const fields = fieldsOf(element, "placeMap");
  let shown = null;
  const points = () => {
    if (!shown) return [];
    const area = shown.point.toBounds(2 * shown.radius);
    return [area.getSouthWest(), area.getNorthEast()];
  };
  const view = guide(map, { points, anchor: () => shown?.point });

  const draw = (mayMove) => {
    circle.clearLayers();
    const place = read({
      latitude: fields.latitude.value,
      longitude: fields.longitude.value,
      radiusMetres: fields.radiusMetres.value,
    });
    element.dataset.hasPlace = String(place !== null);
    shown = place && { point: L.latLng(place.latitude, place.longitude), radius: place.radius };
    if (mayMove) view.recentre();
    if (!shown) return;
    const { point, radius } = shown;
    L.circle(point, { radius, interactive: false, className: "map-accuracy" }).addTo(circle);
    L.circleMarker(point, { radius: 6, interactive: false, className: "map-centre" }).addTo(circle);
  };

  let isOurs = false;
  for (const field of Object.values(fields)) field.addEventListener("input", () => draw(!isOurs));
  map.on("click", ({ latlng }) => {
    const { lat, lng } = latlng.wrap();
    isOurs = true;
    put(fields, lat, lng);
    isOurs = false;
  });
  draw(true);
  new ResizeObserver(view.resized).observe(element);
}

/** The button that fills in this phone's position. */
export function attachHere(button) {
  if (!navigator.geolocation || !isSecureContext) {
    button.hidden = true;
    return;
  }
  const fields = fieldsOf(button, "placeHere");
  const note = Object.assign(document.createElement("p"), { className: "button-reason" });
  note.setAttribute("role", "status");
  button.after(note);
  button.addEventListener("click", () => {
    note.textContent = "";
    button.setAttribute("aria-busy", "true");
    const done = () => button.removeAttribute("aria-busy");
    navigator.geolocation.getCurrentPosition(({ coords }) => {
      done();
      put(fields, coords.latitude, coords.longitude);
    }, () => {
      done();
      note.textContent = button.dataset.failed;
    }, WAIT);
  });
}
