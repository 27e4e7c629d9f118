// The map of all items, full screen: each item with the accuracy of its position, and this phone's position. The same
// content is a list beside it.
import { drawMarks } from "./item-marks.js";
import { build, loadLibrary, mark } from "./map.js";
import { guide } from "./map-view.js";
import { current } from "./position.js";
import { text } from "./strings.js";
export { loadLibrary };
/* global L */

/** The items of a page that have a position. */
export function placed(items) {
  return items.filter((item) => item.lastFix !== null);
}

async function read(address) {
  const items = [];
  let next = address;
  while (next) {
    const answer = await fetch(next, { headers: { Accept: "application/json" } });
    if (!answer.ok) throw new Error(String(answer.status));
    const page = await answer.json();
    items.push(...page.items);
    next = page.next && new URL(`?limit=200&after=${encodeURIComponent(page.next)}`, address);
  }
  return placed(items);
}

/** The people who share their position, in the shape of items. */
async function readPeople(address) {
  if (!address) return [];
  try {
    const answer = await fetch(address, { headers: { Accept: "application/json" } });
    if (!answer.ok) return [];
    const { items } = await answer.json();
    return placed(items.map(({ id, name, position }) => ({ id, name, lastFix: position, isPerson: true })));
  } catch {
    return [];
  }
}

function myPlace(element) {
  if (current()) return current();
  const { meLatitude, meLongitude, meAccuracy } = element.dataset;
  if (!meLatitude || !meLongitude) return null;
  return { latitude: Number(meLatitude), longitude: Number(meLongitude), accuracy: Number(meAccuracy) || null };
}

export async function show(element) {
  await loadLibrary();
  const map = build(element);
  const circles = L.layerGroup().addTo(map);
  const layer = L.featureGroup().addTo(map);
  const me = L.layerGroup().addTo(map);
  let things = [];
  let people = [];
  let items = [];
  const points = () => {
    const all = items.map(({ lastFix }) => [lastFix.latitude, lastFix.longitude]);
    const phone = myPlace(element);
    if (phone) all.push([phone.latitude, phone.longitude]);
    return all;
  };
  const view = guide(map, { points, anchor: () => null });

  const drawMe = () => {
    me.clearLayers();
    const place = myPlace(element);
    if (!place) return;
    const point = [place.latitude, place.longitude];
    if (place.accuracy) {
      L.circle(point, { radius: place.accuracy, interactive: false, className: "map-me-accuracy" }).addTo(me);
    }
    mark("me", text("mapMe"), place).setZIndexOffset(-500).addTo(me);
  };

  const open = ({ id, isPerson }) => {
    // The list beside the map has the first items only.
    const row = document.querySelector(`[data-map-row="${CSS.escape(id)}"]`);
    if (row) row.click();
    else location.assign(isPerson ? `/tracking/people/${id}` : `/tracking/items/${id}`);
  };

  // The marks that are drawn: the same ones aren't drawn again, as their photos would flicker.
  let drawn = "";
  const drawItems = () => {
    const shown = items.map(({ id, name, pictureId, lastFix }) => [id, name, pictureId, lastFix]);
    const marks = JSON.stringify([map.getZoom(), shown]);
    if (marks === drawn) return;
    drawn = marks;
    const focused = /** @type {HTMLElement} */ (document.activeElement)?.dataset.mapItem;
    drawMarks(map, layer, items, open);
    if (!focused) return;
    const sign = /** @type {HTMLElement} */ (element.querySelector(`[data-map-item="${CSS.escape(focused)}"]`));
    (sign ?? element).focus({ preventScroll: true });
  };

  const draw = () => {
    circles.clearLayers();
    for (const { lastFix } of items) {
      if (!lastFix.accuracy) continue;
      const style = { radius: lastFix.accuracy, interactive: false, className: "map-accuracy" };
      L.circle([lastFix.latitude, lastFix.longitude], style).addTo(circles);
    }
    drawItems();
    element.dataset.count = String(items.length);
  };

  const redraw = () => {
    items = [...things, ...people];
    view.follow();
    draw();
    drawMe();
  };

  // Loads may overlap: a response that is older than what is drawn could show a person who has ended the sharing since.
  let loads = 0;
  let newestThings = 0;
  let newestPeople = 0;
  const reload = async () => {
    loads += 1;
    const load = loads;
    // Items don't wait for people, who can't be read without a connection.
    const asked = readPeople(element.dataset.people);
    let hasThings = true;
    try {
      const found = await read(new URL(element.dataset.allMap, location.href));
      if (load > newestThings) {
        newestThings = load;
        things = found;
        redraw();
      }
    } catch {
      hasThings = false;
    }
    const found = await asked;
    if (load < newestPeople) return;
    newestPeople = load;
    const isChanged = people.length > 0 || found.length > 0;
    people = found;
    if (isChanged || (!hasThings && !view.isStarted())) redraw();
  };

  element.addEventListener("hw:refresh", reload);
  document.addEventListener("hw:moved", () => {
    if (!view.isStarted() || !element.isConnected) return;
    drawMe();
    view.keepClear();
  });
  map.on("zoomend", () => view.isStarted() && drawItems());
  map.on("controlschange", () => view.keepClear());
  new ResizeObserver(view.resized).observe(element);
  await reload();
}
