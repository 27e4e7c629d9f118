// The visible area of a map: its start, what it follows, and the point that zooming keeps.
import { nearest } from "./geometry.js";
import { template } from "./strings.js";
/* global L */

const CLOSEST_ZOOM = 17;
const WORLD = { centre: [20, 0], zoom: 1 };
const EDGE_PIXELS = 36;
// Half a mark and a little more, between a mark and a control.
const GAP_PIXELS = 24;

/** The pixels at each side of the map that its margin or a control covers: nothing important is shown there. */
export function takenSides(size, controls) {
  const sides = { top: EDGE_PIXELS, right: EDGE_PIXELS, bottom: EDGE_PIXELS, left: EDGE_PIXELS };
  const take = (side, pixels) => (sides[side] = Math.max(sides[side], pixels + GAP_PIXELS));
  for (const { corner, box } of controls) {
    if (corner === "topright") take("right", size.x - box.left);
    else if (corner === "topleft") take("top", box.bottom);
    else take("bottom", size.y - box.top);
  }
  return sides;
}

function controlsOf(container) {
  const frame = container.getBoundingClientRect();
  return [...container.querySelectorAll(".leaflet-control")].flatMap((control) => {
    const box = control.getBoundingClientRect();
    if (!box.width || !box.height) return [];
    const [vertical, horizontal] = control.parentElement.className.match(/leaflet-(top|bottom)|leaflet-(left|right)/g);
    const corner = `${vertical}${horizontal}`.replaceAll("leaflet-", "");
    return [{
      corner,
      box: { left: box.left - frame.left, top: box.top - frame.top, bottom: box.bottom - frame.top },
    }];
  });
}

/** Shows `points()` until the reader moves the map. After that the map stays, and a button shows the points again.
 * Zooming by button or key keeps `anchor()` in place. */
export function guide(map, { points, anchor }) {
  const container = map.getContainer();
  let isStarted = false;
  let isMoved = false;
  let isOurs = false;
  const sides = () => takenSides(map.getSize(), controlsOf(container));

  const ours = (work) => {
    isOurs = true;
    work();
    isOurs = false;
  };

  const show = () => {
    const all = points();
    if (all.length === 0 && isStarted) return;
    ours(() => {
      if (all.length === 0) map.setView(WORLD.centre, WORLD.zoom, { animate: false });
      else {
        const { top, right, bottom, left } = sides();
        map.fitBounds(all, {
          paddingTopLeft: [left, top], paddingBottomRight: [right, bottom], maxZoom: CLOSEST_ZOOM, animate: false,
        });
      }
    });
    isStarted = true;
  };

  const button = template("map-recentre-template");
  const control = L.control({ position: "topright" });
  control.onAdd = () => {
    const bar = L.DomUtil.create("div", "leaflet-bar");
    bar.append(button);
    L.DomEvent.disableClickPropagation(bar);
    return bar;
  };
  const recentre = () => {
    isMoved = false;
    control.remove();
    show();
  };
  button.addEventListener("click", () => {
    recentre();
    // The focused button has disappeared; without this, the focus would be lost.
    container.focus({ preventScroll: true });
  });

  map.on("dragstart zoomstart movestart", () => {
    if (isOurs || isMoved || !isStarted) return;
    isMoved = true;
    control.addTo(map);
  });

  const setZoom = map.setZoom;
  map.setZoom = (zoom, options) => {
    const place = isStarted ? anchor() : null;
    if (!place) return setZoom.call(map, zoom, options);
    const { lat, lng } = L.latLng(place);
    const point = [lat, nearest(lng, map.getCenter().lng)];
    if (!map.getBounds().contains(point)) return setZoom.call(map, zoom, options);
    return map.setZoomAround(point, Math.min(map.getMaxZoom(), Math.max(map.getMinZoom(), zoom)), options);
  };

  const isInTheClear = (point) => {
    const { x, y } = map.latLngToContainerPoint(point);
    const { x: width, y: height } = map.getSize();
    const { top, right, bottom, left } = sides();
    // A fit can lose half a pixel at its limits.
    return x >= left - 1 && y >= top - 1 && x <= width - right + 1 && y <= height - bottom + 1;
  };

  return {
    /** The points were replaced. */
    follow: () => {
      if (!isMoved) show();
    },
    /** One of the points moved a little: the map moves only if the point would be hidden. */
    keepClear: () => {
      if (isStarted && !isMoved && !points().every(isInTheClear)) show();
    },
    /** The map has another size, or other controls. */
    resized: () => {
      map.invalidateSize({ animate: false });
      if (isStarted && !isMoved) show();
    },
    /** Shows the points, even if the reader has moved the map. */
    recentre,
    isMoved: () => isMoved,
    isStarted: () => isStarted,
    ours,
  };
}
