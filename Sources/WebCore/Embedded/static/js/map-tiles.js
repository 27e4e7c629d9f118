// The background of a map: the tiles of a service or of the server's map file, or a grid where there are none.
import { language, text } from "./strings.js";
/* global L */

const CLOSEST_ZOOM = 19;
const GRID_FROM_ZOOM = 9;
const GRID_PIXELS = 90;
const GLOBE_METRES = 40_075_016.686;

/** The next length of 1, 2 or 5 times a power of ten. */
export function roundLength(metres) {
  const power = 10 ** Math.floor(Math.log10(metres));
  return power * ([1, 2, 5].find((part) => part * power >= metres) ?? 10);
}

/** The lines of a grid over an area, as latitudes and longitudes. Squares have this side at this latitude. */
export function gridLines({ south, west, north, east }, metres, latitude) {
  const rows = (metres / GLOBE_METRES) * 360;
  const columns = rows / Math.max(0.01, Math.cos((latitude * Math.PI) / 180));
  const multiples = (from, to, step) => {
    const first = Math.ceil(from / step);
    return Array.from({ length: Math.max(0, Math.floor(to / step) - first + 1) }, (_, index) => (first + index) * step);
  };
  return { latitudes: multiples(south, north, rows), longitudes: multiples(west, east, columns) };
}

function lengthText(metres) {
  const isFar = metres >= 1_000;
  const unit = isFar ? "kilometer" : "meter";
  return new Intl.NumberFormat(language, { style: "unit", unit }).format(isFar ? metres / 1_000 : metres);
}

function note(map, className) {
  const element = Object.assign(document.createElement("p"), { className });
  const control = L.control({ position: className === "map-scale" ? "bottomleft" : "topleft" });
  control.onAdd = () => element;
  control.addTo(map);
  return element;
}

/** Shows a message while tiles can't be loaded: the map then shows only the outline of the world. */
function showMissingTiles(map, layer) {
  const trouble = note(map, "map-trouble");
  trouble.setAttribute("role", "status");
  let failures = 0;
  layer.on("loading", () => (failures = 0));
  layer.on("tileerror", () => (failures += 1));
  layer.on("load", () => {
    const words = failures > 0 ? text("mapBackgroundFailed") : "";
    if (words === trouble.textContent) return;
    trouble.textContent = words;
    map.fire("controlschange");
  });
}

function addGrid(map, advice) {
  if (advice) note(map, "map-trouble").textContent = advice;
  const size = note(map, "map-scale");
  map.createPane("grid").style.zIndex = "180";
  const lines = L.layerGroup().addTo(map);
  const draw = () => {
    lines.clearLayers();
    size.textContent = "";
    if (map.getZoom() < GRID_FROM_ZOOM) return;
    // Rounded, so that the lines stay where they are while the map moves.
    const latitude = Math.round(map.getCenter().lat * 2) / 2;
    const pixelMetres = (GLOBE_METRES * Math.cos((latitude * Math.PI) / 180)) / (256 * 2 ** map.getZoom());
    const metres = roundLength(pixelMetres * GRID_PIXELS);
    const area = map.getBounds().pad(0.3);
    const [south, west, north, east] = [area.getSouth(), area.getWest(), area.getNorth(), area.getEast()];
    const { latitudes, longitudes } = gridLines({ south, west, north, east }, metres, latitude);
    const style = { pane: "grid", interactive: false, className: "map-grid" };
    L.polyline([
      ...latitudes.map((place) => [[place, west], [place, east]]),
      ...longitudes.map((place) => [[south, place], [north, place]]),
    ], style).addTo(lines);
    size.textContent = text("mapGrid").replace("%", lengthText(metres));
  };
  map.on("moveend", draw);
}

function addAttribution(map, words, url) {
  const credit = L.control({ position: "bottomright" });
  const element = Object.assign(document.createElement(url ? "a" : "span"), { textContent: words });
  if (url) Object.assign(element, { href: url, rel: "noopener", target: "_blank" });
  // Leaflet's own control takes HTML.
  const frame = Object.assign(document.createElement("div"), { className: "leaflet-control-attribution" });
  frame.append(element);
  credit.onAdd = () => frame;
  credit.addTo(map);
}

/** Adds the background that the element's data describe. */
export function addTiles(map, element) {
  const { tiles, tilesZooms, tilesBounds, tilesAdvice, attribution, attributionUrl } = element.dataset;
  if (!tiles) return addGrid(map, tilesAdvice);
  /** @type {any} */
  const options = { maxZoom: CLOSEST_ZOOM, crossOrigin: false };
  if (tilesZooms) {
    const [lowest, highest] = tilesZooms.split(",").map(Number);
    // Beyond the highest level, Leaflet scales the tiles of that level.
    Object.assign(options, { minZoom: lowest, maxNativeZoom: Math.min(highest, CLOSEST_ZOOM) });
  }
  if (tilesBounds) {
    const [west, south, east, north] = tilesBounds.split(",").map(Number);
    options.bounds = [[south, west], [north, east]];
  }
  // Leaflet replaces {r} with @2x on high-resolution screens.
  showMissingTiles(map, L.tileLayer(tiles, options).addTo(map));
  if (attribution) addAttribution(map, attribution, attributionUrl);
}
