// The map of a package's way: circles, or exact points for its parties. In the form of a package a tap sets one end.
import { build, loadLibrary, spanOf } from "./map.js";
import { guide } from "./map-view.js";
export { loadLibrary };
/* global L */

const DIGITS = 6;
// Around a place where no end is set yet: a town.
const START_METRES = 4_000;
const ENDS = ["from", "to"];

function draw(layer, marks) {
  layer.clearLayers();
  for (const { latitude, longitude, radius, label } of marks) {
    const point = [latitude, longitude];
    const options = { interactive: radius === 0, className: radius ? "map-accuracy" : "map-centre" };
    const shape = radius ? L.circle(point, { ...options, radius }) : L.circleMarker(point, { ...options, radius: 8 });
    shape.addTo(layer);
    if (label) shape.bindTooltip(spanOf(label), { permanent: true, direction: "top" });
  }
  for (const number of new Set(marks.map(({ line }) => line))) {
    const ends = marks.filter(({ line }) => line === number).map(({ latitude, longitude }) => [latitude, longitude]);
    // The lines of packages differ from that of the trip.
    const className = number === 0 ? "map-track" : "map-track map-track-other";
    if (ends.length === 2) L.polyline(ends, { interactive: false, className }).addTo(layer);
  }
}

function pointsOf(marks) {
  return marks.flatMap(({ latitude, longitude, radius }) => {
    const area = L.latLng(latitude, longitude).toBounds(2 * Math.max(radius, 200));
    return [area.getSouthWest(), area.getNorthEast()];
  });
}

/** @param {() => any} [likely] the place that is shown without marks */
function start(element, marks, likely = () => null) {
  const map = build(element);
  const layer = L.featureGroup().addTo(map);
  const points = () => {
    const all = marks();
    const place = likely();
    return pointsOf(all.length > 0 || !place ? all : [{ ...place, radius: START_METRES }]);
  };
  const view = guide(map, { points, anchor: () => null });
  const redraw = () => {
    draw(layer, marks());
    element.dataset.count = String(marks().length);
  };
  redraw();
  view.recentre();
  new ResizeObserver(view.resized).observe(element);
  return { map, view, redraw };
}

/** Shows the marks in `data-route-map`. */
export async function show(element) {
  await loadLibrary();
  const marks = () => JSON.parse(element.dataset.routeMap);
  const { view, redraw } = start(element, marks);
  const reload = () => {
    redraw();
    view.recentre();
  };
  new MutationObserver(reload).observe(element, { attributes: true, attributeFilter: ["data-route-map"] });
}

function read(field) {
  return field.value.trim() === "" ? NaN : Number(field.value.trim().replace(",", "."));
}

/** The reader's last place, which the server knows, as {latitude, longitude}; null without one. */
function lastPlace(element) {
  if (!element.dataset.routeStart) return null;
  const [latitude, longitude] = element.dataset.routeStart.split(",").map(Number);
  return { latitude, longitude };
}

/** This phone's position, if that is allowed already: opening a form asks nothing. */
async function allowedPosition() {
  const permission = await navigator.permissions?.query({ name: "geolocation" }).catch(() => null);
  if (permission?.state !== "granted") return null;
  return new Promise((resolve) => {
    const found = ({ coords: { latitude, longitude } }) => resolve({ latitude, longitude });
    navigator.geolocation.getCurrentPosition(found, () => resolve(null), { maximumAge: 600_000, timeout: 10_000 });
  });
}

/** Shows the points in the fields of the form `data-route-form`, and sets the chosen end by a tap. The fields stay
 * authoritative, so that the form works without the map. */
export async function pick(element) {
  await loadLibrary();
  const form = /** @type {any} */ (document.getElementById(element.dataset.routeForm));
  const fields = (end) => [form.elements[`${end}Latitude`], form.elements[`${end}Longitude`]];
  const choices = [...form.querySelectorAll("[data-route-end]")];
  const choose = (end) => choices.forEach((choice) => (choice.checked = choice.value === end));
  const marks = () => ENDS.flatMap((end) => {
    const [latitude, longitude] = fields(end).map(read);
    if (!(Math.abs(latitude) <= 90) || !(Math.abs(longitude) <= 180)) return [];
    const label = choices.find((choice) => choice.value === end).parentElement.textContent;
    return [{ latitude, longitude, radius: 0, label, line: 0 }];
  });
  let likely = lastPlace(element);
  const { map, view, redraw } = start(element, marks, () => likely);
  Promise.resolve(likely ?? allowedPosition()).then((found) => {
    likely = found;
    view.follow();
    element.dataset.hasPlace = String(found !== null);
  });
  choose(fields("from").every((field) => field.value) ? "to" : "from");
  for (const end of ENDS) for (const field of fields(end)) {
    field.addEventListener("input", redraw);
    // Once the number is complete.
    field.addEventListener("change", () => view.recentre());
  }
  map.on("click", ({ latlng }) => {
    const { lat, lng } = latlng.wrap();
    const end = choices.find((choice) => choice.checked)?.value ?? ENDS[0];
    const [latitude, longitude] = fields(end);
    latitude.value = lat.toFixed(DIGITS);
    longitude.value = lng.toFixed(DIGITS);
    for (const field of [latitude, longitude]) field.dispatchEvent(new Event("input", { bubbles: true }));
    if (end === "from" && fields("to").every((field) => !field.value)) choose("to");
  });
}
