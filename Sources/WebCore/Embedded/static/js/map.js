// The map of an item's positions: Leaflet with a built-in outline of the world, so that it is useful without internet
// access.
import { copies, metresBetween, nearest, unwrapped } from "./geometry.js";
import { addTiles } from "./map-tiles.js";
import { guide } from "./map-view.js";
import { current } from "./position.js";
import { language, text } from "./strings.js";
import { exact } from "./time.js";
/* global L */

const OUTLINE_PANE_LEVEL = 150;
// The touch target of a mark; the visible dots are smaller.
const MARK_PIXELS = { newest: 44, older: 44, me: 32 };
const NEAR_METRES = 3_000;

const parts = new URL("../vendor/", import.meta.url);
let library = null;
let outline = null;

function arrival(element) {
  return new Promise((resolve, reject) => Object.assign(element, { onload: resolve, onerror: reject }));
}

export function loadLibrary() {
  if (library) return library;
  const address = new URL("leaflet.css", parts).href;
  const sheet = Object.assign(document.createElement("link"), { rel: "stylesheet", href: address });
  const script = Object.assign(document.createElement("script"), { src: new URL("leaflet.js", parts).href });
  // Without the stylesheet the marks would be misplaced.
  library = Promise.all([arrival(sheet), arrival(script)]);
  // The next call tries again.
  library.catch(() => {
    library = null;
    sheet.remove();
    script.remove();
  });
  // Before our own stylesheets, which refine it.
  document.head.prepend(sheet);
  document.head.append(script);
  return library;
}

function loadOutline() {
  outline ??= fetch(new URL("world.json", parts)).then((answer) => answer.json());
  return outline;
}

function metres(value) {
  return new Intl.NumberFormat(language, { style: "unit", unit: "meter", maximumFractionDigits: 0 }).format(value);
}

/** The text of a mark: time and accuracy. */
export function describe(fix, isNewest) {
  const words = [exact(new Date(fix.at), language, "short")];
  if (isNewest) words.unshift(text("mapNewest"));
  if (fix.accuracy !== null && fix.accuracy !== undefined) words.push(`±${metres(fix.accuracy)}`);
  return words.join(" · ");
}

/** Fixes by time, oldest first, without duplicates. */
export function inOrder(fixes) {
  const byID = new Map(fixes.map((fix) => [fix.id, fix]));
  return [...byID.values()].sort((one, other) => Date.parse(one.at) - Date.parse(other.at));
}

/** The content of a popup or tooltip: Leaflet takes a text as HTML. */
export function spanOf(words) {
  return Object.assign(document.createElement("span"), { textContent: words });
}

/** A mark of a kind: `newest`, `older` or `me`. */
export function mark(kind, label, place) {
  const size = [MARK_PIXELS[kind], MARK_PIXELS[kind]];
  const icon = L.divIcon({ className: `map-mark map-mark-${kind}`, iconSize: size });
  const isButton = kind !== "me";
  const behaviour = { icon, keyboard: isButton, interactive: isButton, riseOnHover: true };
  const marker = L.marker([place.latitude, place.longitude], behaviour);
  marker.on("add", () => {
    const element = marker.getElement();
    element.setAttribute("role", isButton ? "button" : "img");
    element.setAttribute("aria-label", label);
    if (!isButton) return;
    element.dataset.markerAt = place.at;
    element.dataset.newest = String(kind === "newest");
  });
  if (!isButton) return marker;
  return marker.bindPopup(spanOf(label), { closeButton: false });
}

/** The boxes ({x, y, size}, the most important first) that don't overlap those before them. */
export function standingFree(boxes) {
  const free = [];
  return boxes.map((box) => {
    const overlaps = (other) =>
      Math.max(Math.abs(box.x - other.x), Math.abs(box.y - other.y)) < (box.size + other.size) / 2;
    const isFree = !free.some(overlaps);
    if (isFree) free.push(box);
    return isFree;
  });
}

/** Overlapping marks can't be tapped separately: only the selected or newest of them is a button. */
export function thinOut(map, markers, chosen) {
  const newestFirst = [...markers].reverse().sort((one, other) => Number(other === chosen) - Number(one === chosen));
  const boxes = newestFirst.map((marker) => {
    const { x, y } = map.latLngToContainerPoint(marker.getLatLng());
    return { x, y, size: marker.options.icon.options.iconSize[0] };
  });
  standingFree(boxes).forEach((isFree, index) => {
    const element = newestFirst[index].getElement();
    if (!element) return;
    element.classList.toggle("is-crowded", !isFree);
    element.setAttribute("role", isFree ? "button" : "img");
    if (isFree) element.tabIndex = 0;
    else element.removeAttribute("tabindex");
    if (!isFree && element === document.activeElement) map.getContainer().focus({ preventScroll: true });
  });
}

/** Moves the marks and circles of layers to the turn of the globe that the map shows: those on both sides of the
 * antimeridian are then beside each other. */
export function moveToShownTurn(map, ...layers) {
  const centre = map.getCenter().lng;
  for (const layer of layers) {
    layer.eachLayer((part) => {
      const place = part.getLatLng?.();
      const longitude = place && nearest(place.lng, centre);
      if (place && longitude !== place.lng) part.setLatLng([place.lat, longitude]);
    });
  }
}

/** Builds a map without a view: it loads nothing before it has one. */
export function build(element) {
  const bare = { zoomControl: false, attributionControl: false };
  const map = L.map(element, { ...bare, worldCopyJump: true, minZoom: 1, maxZoom: 19 });
  map.createPane("outline").style.zIndex = OUTLINE_PANE_LEVEL;
  loadOutline().then((world) => {
    const style = { className: "map-outline", weight: 1, fillOpacity: 1 };
    L.geoJSON(world, { pane: "outline", interactive: false, style }).addTo(map);
  }, () => {});
  addTiles(map, element);
  const titles = { zoomInTitle: text("mapZoomIn"), zoomOutTitle: text("mapZoomOut") };
  L.control.zoom({ ...titles, position: "topright" }).addTo(map);
  L.control.scale({ imperial: false, position: "bottomleft" }).addTo(map);
  // Leaflet handles the key only while the map itself has the focus.
  element.addEventListener("keydown", (event) => event.key === "Escape" && map.closePopup());
  element.setAttribute("role", "region");
  element.setAttribute("aria-label", element.dataset.label);
  return map;
}

async function read(address) {
  const answer = await fetch(address, { headers: { Accept: "application/json" } });
  if (!answer.ok) throw new Error(String(answer.status));
  return (await answer.json()).items;
}

export async function show(element) {
  await loadLibrary();
  const map = build(element);
  const track = L.featureGroup().addTo(map);
  const me = L.layerGroup().addTo(map);
  const marks = new Map();
  let fixes = [];
  // The id of the position that the reader selected in the history.
  let chosen = "";

  const points = () => {
    const all = fixes.map((fix) => [fix.latitude, fix.longitude]);
    const phone = myPlace();
    const newest = fixes.at(-1);
    // A reader near the item wants to see both; one far away wants to see the item.
    if (phone && (!newest || metresBetween(phone, newest) < NEAR_METRES)) all.push([phone.latitude, phone.longitude]);
    return unwrapped(all);
  };
  const anchor = () => fixes.length > 0 ? [fixes.at(-1).latitude, fixes.at(-1).longitude] : null;
  const view = guide(map, { points, anchor });

  map.on("zoomend", () => thinOut(map, marks.values(), marks.get(chosen)));
  map.on("moveend", () => moveToShownTurn(map, track, me));
  map.on("controlschange", () => view.keepClear());

  const myPlace = () => {
    if (current()) return current();
    const { meLatitude, meLongitude, meAccuracy } = element.dataset;
    if (!meLatitude || !meLongitude) return null;
    const accuracy = meAccuracy ? Number(meAccuracy) : null;
    return { latitude: Number(meLatitude), longitude: Number(meLongitude), accuracy };
  };

  const drawMe = () => {
    me.clearLayers();
    const place = myPlace();
    if (!place) return;
    const point = [place.latitude, place.longitude];
    if (place.accuracy) {
      L.circle(point, { radius: place.accuracy, interactive: false, className: "map-me-accuracy" }).addTo(me);
    }
    mark("me", text("mapMe"), place).setZIndexOffset(-500).addTo(me);
    moveToShownTurn(map, me);
  };

  const draw = () => {
    const opened = [...marks.entries()].find(([, marker]) => marker.isPopupOpen())?.[0];
    const focused = [...marks.entries()].find(([, marker]) => marker.getElement() === document.activeElement)?.[0];
    track.clearLayers();
    marks.clear();
    const line = fixes.map((fix) => [fix.latitude, fix.longitude]);
    if (line.length > 1) L.polyline(copies(line), { interactive: false, className: "map-track" }).addTo(track);
    fixes.forEach((fix, index) => {
      const isNewest = index === fixes.length - 1;
      const point = [fix.latitude, fix.longitude];
      if (isNewest && fix.accuracy) {
        L.circle(point, { radius: fix.accuracy, interactive: false, className: "map-accuracy" }).addTo(track);
      }
      const marker = mark(isNewest ? "newest" : "older", describe(fix, isNewest), fix);
      marker.setZIndexOffset(isNewest ? 1000 : index).addTo(track);
      marks.set(fix.id, marker);
    });
    moveToShownTurn(map, track);
    marks.get(chosen)?.getElement().classList.add("is-chosen");
    thinOut(map, marks.values(), marks.get(chosen));
    if (opened && marks.has(opened)) reopen(marks.get(opened));
    // All marks were replaced. Without its mark, the map keeps the focus.
    const place = focused && marks.get(focused)?.getElement();
    if (focused) (place?.hasAttribute("tabindex") ? place : element).focus({ preventScroll: true });
    element.dataset.count = String(fixes.length);
  };

  // A popup that was already open doesn't move a map that the reader has moved.
  const reopen = (marker) => {
    marker.getPopup().options.autoPan = !view.isMoved();
    view.ours(() => marker.openPopup());
    marker.getPopup().options.autoPan = true;
  };

  const reload = async () => {
    try {
      fixes = inOrder(await read(new URL(element.dataset.fixesUrl, location.href)));
    } catch {
      // The next event, or the next time the page becomes visible, tries again.
      if (view.isStarted()) return;
    }
    view.follow();
    draw();
    drawMe();
  };

  element.addEventListener("hw:refresh", reload);
  document.addEventListener("hw:moved", () => {
    if (!view.isStarted()) return;
    drawMe();
    if (fixes.length === 0) view.follow();
    else view.keepClear();
  });
  new MutationObserver(reload).observe(element, { attributes: true, attributeFilter: ["data-fixes-url"] });
  new ResizeObserver(view.resized).observe(element);

  // The focus moves to the mark, whose name a screen reader reads.
  const choose = (id) => {
    const marker = marks.get(id);
    if (!marker) return;
    chosen = id;
    for (const other of marks.values()) other.getElement()?.classList.remove("is-chosen");
    marker.getElement().classList.add("is-chosen");
    thinOut(map, marks.values(), marker);
    map.panTo(marker.getLatLng());
    marker.openPopup();
    marker.getElement().focus({ preventScroll: true });
    element.scrollIntoView({ block: "nearest", behavior: "smooth" });
  };
  document.addEventListener("click", (event) => {
    const row = event.target.closest?.("[data-show-fix]")?.closest("[data-fix-id]");
    if (row) choose(row.dataset.fixId);
  });
  // Returns to the row that the reader came from.
  element.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !chosen) return;
    const row = document.querySelector(`[data-fix-id="${CSS.escape(chosen)}"] [data-show-fix]`);
    chosen = "";
    row?.focus();
  });
  await reload();
}
