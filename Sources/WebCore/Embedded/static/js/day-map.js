// The map of an item's day: its stays as marks and its trips as lines. Where there were no positions, there is no line.
import { copies, unwrapped } from "./geometry.js";
import { build, loadLibrary, mark, moveToShownTurn, thinOut } from "./map.js";
import { guide } from "./map-view.js";
export { loadLibrary };
/* global L */

/** The positions that the map must show: those of stays, and the paths of trips. */
export function pointsOf(parts) {
  return parts.flatMap((part) => part.path ?? (part.latitude === null ? [] : [[part.latitude, part.longitude]]));
}

async function read(address) {
  const answer = await fetch(address, { headers: { Accept: "application/json" } });
  if (!answer.ok) throw new Error(String(answer.status));
  return (await answer.json()).parts;
}

function labelOf(index) {
  const row = document.querySelector(`[data-part="${index}"] .row-text`);
  return row ? [...row.children].map((child) => child.textContent.trim()).join(", ") : "";
}

export async function show(element) {
  await loadLibrary();
  const map = build(element);
  const layer = L.featureGroup().addTo(map);
  const shown = new Map();
  let parts = [];
  const view = guide(map, { points: () => unwrapped(pointsOf(parts)), anchor: () => pointsOf(parts).at(-1) ?? null });
  const marks = () => [...shown.values()].filter((one) => one.getElement && one.options.icon);

  const draw = () => {
    layer.clearLayers();
    shown.clear();
    parts.forEach((part, index) => {
      if (part.path) {
        const line = L.polyline(copies(part.path), { interactive: false, className: "map-track" }).addTo(layer);
        shown.set(String(index), line);
      } else if (part.latitude !== null) {
        const marker = mark("older", labelOf(index), { ...part, at: part.startedAt }).addTo(layer);
        shown.set(String(index), marker);
      }
    });
    moveToShownTurn(map, layer);
    thinOut(map, marks(), null);
    element.dataset.count = String(marks().length);
    element.dataset.lines = String(shown.size - marks().length);
  };

  const reload = async () => {
    try {
      parts = await read(new URL(element.dataset.dayMap, location.href));
    } catch {
      if (view.isStarted()) return;
    }
    view.follow();
    draw();
  };

  element.addEventListener("hw:refresh", reload);
  map.on("zoomend", () => thinOut(map, marks(), null));
  map.on("moveend", () => moveToShownTurn(map, layer));
  map.on("controlschange", () => view.keepClear());
  new MutationObserver(reload).observe(element, { attributes: true, attributeFilter: ["data-day-map"] });
  new ResizeObserver(view.resized).observe(element);

  document.addEventListener("click", (event) => {
    const button = event.target.closest?.("[data-show-part]");
    const target = button && element.isConnected && shown.get(button.dataset.showPart);
    if (!target) return;
    const { path } = parts[Number(button.dataset.showPart)];
    if (path) map.fitBounds(L.latLngBounds(unwrapped(path)), { maxZoom: 17, padding: [36, 36] });
    else {
      map.panTo(target.getLatLng());
      target.openPopup();
      target.getElement().focus({ preventScroll: true });
    }
    element.scrollIntoView({ block: "nearest", behavior: "smooth" });
  });
  await reload();
}
