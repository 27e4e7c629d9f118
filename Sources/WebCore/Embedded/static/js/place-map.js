// The map in a safe place's form: shows the circle or the polygon that the fields define. A tap moves the circle, or
// adds a corner while the outline is drawn. The fields stay authoritative, so that the form works without the map.
import { copies, unwrapped } from "./geometry.js";
import { build, loadLibrary } from "./map.js";
import { drawingBanner } from "./outline-banner.js";
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

/** The corners of an outline as [latitude, longitude]; lines that aren't corners are left out. */
export function corners(text) {
  return text.split(/[\n;]/)
    .map((line) => line.trim().split(/[\s,]+/).map(Number))
    .filter(([latitude, longitude, more]) =>
      more === undefined && Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180);
}

/** @returns {any} */
function fieldsOf(element, name) {
  const { elements } = /** @type {any} */ (document.getElementById(element.dataset[name]));
  const end = element.dataset.placeEnd;
  // A form with two ends has neither a radius nor an outline.
  if (end) return { latitude: elements[`${end}Latitude`], longitude: elements[`${end}Longitude`] };
  const { latitude, longitude, radiusMetres, outline } = elements;
  return { latitude, longitude, radiusMetres, outline };
}

function fillIn(fields, latitude, longitude) {
  fields.latitude.value = latitude.toFixed(DIGITS);
  fields.longitude.value = longitude.toFixed(DIGITS);
  for (const field of [fields.latitude, fields.longitude]) {
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }
}

/** Fills in a position. An outline would count instead of the circle around it, so it is removed. */
function copyPosition(fields, latitude, longitude) {
  if (fields.outline && fields.outline.value !== "") {
    fields.outline.value = "";
    fields.outline.dispatchEvent(new Event("input", { bubbles: true }));
  }
  fillIn(fields, latitude, longitude);
}

export async function show(element) {
  await loadLibrary();
  const map = build(element);
  const circle = L.layerGroup().addTo(map);
  const fields = fieldsOf(element, "placeMap");
  const tool = (name) =>
    /** @type {HTMLButtonElement} */ (fields.outline.form.querySelector(`[data-outline-tool="${name}"]`));
  const [pen, undo] = [tool("draw"), tool("undo")];
  const isDrawing = () => pen.getAttribute("aria-pressed") === "true";
  let shown = null;
  let drawn = [];
  const points = () => {
    if (drawn.length) return unwrapped(drawn);
    if (!shown) return [];
    const area = shown.point.toBounds(2 * shown.radius);
    return [area.getSouthWest(), area.getNorthEast()];
  };
  let before = "";
  const setDrawing = (isOn) => {
    pen.setAttribute("aria-pressed", String(isOn));
    element.classList.toggle("is-drawing", isOn);
    banner.toggle(isOn);
    if (isOn) {
      before = fields.outline.value;
      element.focus({ preventScroll: true });
    } else {
      pen.focus({ preventScroll: true });
    }
  };
  const banner = drawingBanner(map, {
    undo: () => removeLast(),
    done: () => setDrawing(false),
    cancel: () => {
      setOutline(before.split("\n"));
      setDrawing(false);
    },
  });
  const view = guide(map, { points, anchor: () => (drawn[0] ? L.latLng(drawn[0]) : shown?.point) });

  const draw = (mayMove) => {
    circle.clearLayers();
    const place = read({
      latitude: fields.latitude.value,
      longitude: fields.longitude.value,
      radiusMetres: fields.radiusMetres.value,
    });
    element.dataset.hasPlace = String(place !== null);
    drawn = corners(fields.outline.value);
    element.dataset.corners = String(drawn.length);
    undo.disabled = drawn.length === 0;
    banner.count(drawn.length);
    shown = place && { point: L.latLng(place.latitude, place.longitude), radius: place.radius };
    if (mayMove) view.recentre();
    if (drawn.length) {
      const style = { interactive: false, className: "map-accuracy" };
      const areas = copies(drawn);
      (drawn.length > 2 ? L.polygon(areas.map((one) => [one]), style) : L.polyline(areas, style)).addTo(circle);
      for (const corner of areas.flat()) {
        L.circleMarker(corner, { radius: 5, interactive: false, className: "map-centre" }).addTo(circle);
      }
      return;
    }
    if (!shown) return;
    const { point, radius } = shown;
    L.circle(point, { radius, interactive: false, className: "map-accuracy" }).addTo(circle);
    L.circleMarker(point, { radius: 6, interactive: false, className: "map-centre" }).addTo(circle);
  };

  const setOutline = (lines) => {
    fields.outline.value = lines.join("\n");
    fields.outline.dispatchEvent(new Event("input", { bubbles: true }));
  };
  const lines = () => fields.outline.value.split("\n").filter((line) => line.trim() !== "");
  const removeLast = () => setOutline(lines().slice(0, -1));
  pen.disabled = false;
  pen.addEventListener("click", () => setDrawing(!isDrawing()));
  undo.addEventListener("click", removeLast);

  let isOurs = false;
  for (const field of Object.values(fields)) field.addEventListener("input", () => draw(!isOurs));
  map.on("click", ({ latlng }) => {
    const { lat, lng } = latlng.wrap();
    isOurs = true;
    if (isDrawing()) setOutline([...lines(), `${lat.toFixed(DIGITS)}, ${lng.toFixed(DIGITS)}`]);
    else fillIn(fields, lat, lng);
    isOurs = false;
  });
  draw(true);
  new ResizeObserver(view.resized).observe(element);
}

/** The link to the form at another position fills it in instead, so that nothing typed is lost. */
export function attachOrigin(link) {
  link.dataset.stays = "true";
  link.addEventListener("click", (event) => {
    event.preventDefault();
    copyPosition(fieldsOf(link, "placeFrom"), Number(link.dataset.latitude), Number(link.dataset.longitude));
    document.getElementById("place-map").scrollIntoView({ block: "center" });
  });
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
      copyPosition(fields, coords.latitude, coords.longitude);
      fields.longitude.dispatchEvent(new Event("change", { bubbles: true }));
    }, () => {
      done();
      note.textContent = button.dataset.failed;
    }, WAIT);
  });
}
