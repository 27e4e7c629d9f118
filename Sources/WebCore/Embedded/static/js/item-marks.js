// The marks of the map of all items: each item or person with a photo or an initial. Marks that would cover each other
// are moved apart, or are one mark with their number.
import { enhanceAll } from "./enhance.js";
import { text } from "./strings.js";
/* global L */

const PIXELS = 48;
const TONES = 6;
// More marks than these at one place are one mark.
const MOST_IN_RING = 6;
const NAMES_FROM_ZOOM = 14;
const CLOSEST_ZOOM = 19;

/** The tone of an item's initial, from 1: the same at each visit. */
export function toneOf(id) {
  let sum = 0;
  for (const character of id) sum = (sum * 31 + character.codePointAt(0)) % 9973;
  return (sum % TONES) + 1;
}

/** The points ({x, y}) that are closer than `pixels` to the first of their group, as lists of indexes. */
export function groupsOf(points, pixels) {
  const groups = [];
  points.forEach((point, index) => {
    const near = groups.find(([first]) =>
      Math.max(Math.abs(points[first].x - point.x), Math.abs(points[first].y - point.y)) < pixels);
    if (near) near.push(index);
    else groups.push([index]);
  });
  return groups;
}

/** The places of so many marks around a point: none of them covers another. */
export function ring(count, pixels) {
  if (count < 2) return [{ x: 0, y: 0 }];
  // Room for the name below each mark.
  const radius = Math.max(pixels * 0.8, (pixels * 0.66) / Math.sin(Math.PI / count));
  return Array.from({ length: count }, (_, index) => {
    const angle = -Math.PI / 2 + (2 * Math.PI * index) / count;
    return { x: Math.round(radius * Math.cos(angle)), y: Math.round(radius * Math.sin(angle)) };
  });
}

function picture({ id, name, pictureId }) {
  const frame = Object.assign(document.createElement("span"), { className: "map-photo" });
  if (pictureId) {
    const image = new Image(PIXELS, PIXELS);
    image.alt = "";
    image.src = `/pictures/${pictureId}?size=small`;
    frame.append(image);
  } else {
    frame.dataset.tone = String(toneOf(id));
    frame.textContent = [...name.trim()][0]?.toUpperCase() ?? "";
  }
  return frame;
}

function icon(className, offset, ...content) {
  const html = document.createElement("span");
  html.className = "map-mark-content";
  html.append(...content);
  const half = PIXELS / 2;
  return L.divIcon({
    className: `map-mark ${className}`,
    iconSize: [PIXELS, PIXELS],
    iconAnchor: [half - offset.x, half - offset.y],
    html,
  });
}

function itemMark(item, offset, open) {
  const name = Object.assign(document.createElement("span"), { className: "map-name" });
  name.append(Object.assign(document.createElement("bdi"), { textContent: item.name }));
  if (item.isPerson) {
    const age = Object.assign(document.createElement("time"), { dateTime: item.lastFix.at });
    age.dataset.relative = "";
    name.append(" · ", age);
  }
  const className = item.isPerson ? "map-mark-item map-mark-person" : "map-mark-item";
  const marker = L.marker([item.lastFix.latitude, item.lastFix.longitude], {
    icon: icon(className, offset, picture(item), name), riseOnHover: true,
  });
  marker.on("add", () => {
    const element = marker.getElement();
    element.setAttribute("role", "link");
    element.setAttribute("aria-label", item.name);
    element.dataset.mapItem = item.id;
    element.addEventListener("keydown", (event) => event.key === "Enter" && open(item));
    element.addEventListener("focus", () => marker.setZIndexOffset(5_000));
    enhanceAll(name);
  });
  return marker.on("click", () => open(item));
}

function groupMark(map, items) {
  const places = items.map(({ lastFix }) => [lastFix.latitude, lastFix.longitude]);
  const count = Object.assign(document.createElement("span"), {
    className: "map-count number", textContent: String(items.length),
  });
  const marker = L.marker(L.latLngBounds(places).getCenter(), {
    icon: icon("map-mark-group", { x: 0, y: 0 }, count),
  });
  const zoom = () => {
    const maxZoom = Math.min(CLOSEST_ZOOM, map.getZoom() + 3);
    map.fitBounds(L.latLngBounds(places).pad(0.2), { maxZoom });
  };
  marker.on("add", () => {
    const element = marker.getElement();
    element.setAttribute("role", "button");
    element.setAttribute("aria-label", text("mapGroup").replace("%", String(items.length)));
    element.addEventListener("keydown", (event) => event.key === "Enter" && zoom());
  });
  return marker.on("click", zoom);
}

/** Draws the marks of items for the map's present zoom level. The newest position is on top. */
export function drawMarks(map, layer, items, open) {
  layer.clearLayers();
  map.getContainer().classList.toggle("is-near", map.getZoom() >= NAMES_FROM_ZOOM);
  const newestFirst = [...items].sort((one, other) => Date.parse(other.lastFix.at) - Date.parse(one.lastFix.at));
  const places = newestFirst.map(({ lastFix }) => map.project([lastFix.latitude, lastFix.longitude]));
  const isClosest = map.getZoom() >= CLOSEST_ZOOM;
  for (const group of groupsOf(places, PIXELS * 0.75)) {
    if (group.length > MOST_IN_RING && !isClosest) {
      groupMark(map, group.map((index) => newestFirst[index])).addTo(layer);
      continue;
    }
    const offsets = ring(group.length, PIXELS);
    group.forEach((index, position) => {
      const offset = offsets[position];
      if (group.length > 1) {
        const tip = map.unproject(places[index].add([offset.x, offset.y]));
        const place = map.unproject(places[index]);
        L.polyline([place, tip], { interactive: false, className: "map-leg" }).addTo(layer);
        L.circleMarker(place, { radius: 4, interactive: false, className: "map-centre" }).addTo(layer);
      }
      itemMark(newestFirst[index], offset, open).setZIndexOffset((newestFirst.length - index) * 10).addTo(layer);
    });
  }
}
