// The page of a live link: the shared position on a map, updated by a stream of its own, and the reader's distance from
// it. The reader's position is requested on a tap. It stays on this device, unless the link ends when both are near.
import { metresBetween } from "./geometry.js";
import { build, loadLibrary } from "./map.js";
import { guide } from "./map-view.js";
import { language, text } from "./strings.js";
export { loadLibrary };
/* global L */

const SHORTEST_PAUSE_MILLISECONDS = 10_000;
const DIGITS = 5;
const PIXELS = 44;
const MEETING_MILLISECONDS = 2_000;
const WAIT = { enableHighAccuracy: true, maximumAge: 5_000, timeout: 30_000 };

/** 340 m, 1.2 km or 12 km. */
export function distanceText(metres, locale) {
  const isFar = metres >= 1_000;
  const value = isFar ? metres / 1_000 : metres;
  const maximumFractionDigits = isFar && value < 10 ? 1 : 0;
  const unit = isFar ? "kilometer" : "meter";
  return new Intl.NumberFormat(locale, { style: "unit", unit, maximumFractionDigits }).format(value);
}

function mark(kind, label, place) {
  const icon = L.divIcon({ className: `map-mark map-mark-${kind}`, iconSize: [PIXELS, PIXELS] });
  const marker = L.marker([place.latitude, place.longitude], { icon, keyboard: false, interactive: false });
  marker.on("add", () => {
    marker.getElement().setAttribute("role", "img");
    marker.getElement().setAttribute("aria-label", label);
  });
  return marker;
}

export async function show(element) {
  await loadLibrary();
  const byID = (id) => document.getElementById(id);
  const parts = {
    place: byID("live-place"),
    accuracy: byID("live-accuracy"),
    age: /** @type {HTMLTimeElement} */ (byID("live-age")),
    reader: byID("live-reader"),
    distance: byID("live-distance"),
    allow: /** @type {HTMLButtonElement} */ (byID("live-allow")),
    connection: byID("live-connection"),
    met: byID("live-met"),
  };
  /** @type {NodeListOf<HTMLElement>} */
  const ways = document.querySelectorAll("[data-live-way]");
  const { eventsUrl, meetingUrl } = element.dataset;
  const map = build(element);
  const layer = L.layerGroup().addTo(map);
  let shared = JSON.parse(element.dataset.start);
  let mine = null;
  let told = 0;
  let timer = null;

  const places = () => [shared, mine].filter((place) => place !== null);
  const points = () => places().map((place) => [place.latitude, place.longitude]);
  const view = guide(map, { points, anchor: () => shared && [shared.latitude, shared.longitude] });

  const draw = () => {
    layer.clearLayers();
    for (const [place, kind, label, circle] of [
      [shared, "newest", element.dataset.newest, "map-accuracy"],
      [mine, "me", text("mapMe"), "map-me-accuracy"],
    ]) {
      if (!place) continue;
      const point = [place.latitude, place.longitude];
      const style = { radius: place.accuracy, interactive: false, className: circle };
      if (place.accuracy) L.circle(point, style).addTo(layer);
      mark(kind, label, place).addTo(layer);
    }
    view.follow();
    element.dataset.hasPosition = String(shared !== null);
    if (shared) {
      parts.place.textContent = `${shared.latitude.toFixed(DIGITS)}, ${shared.longitude.toFixed(DIGITS)}`;
      parts.accuracy.textContent = shared.accuracy ? `±${distanceText(shared.accuracy, language)}` : "";
      parts.age.dateTime = shared.at;
      for (const way of ways) {
        const link = way.querySelector("a");
        link.href = link.href.replace(/(daddr|destination)=[^&]*/, `$1=${shared.latitude},${shared.longitude}`);
        way.hidden = false;
      }
    }
    if (!shared || !mine) return;
    const metres = metresBetween(shared, mine);
    parts.distance.textContent = element.dataset.away.replace("#", distanceText(metres, language));
  };

  // The page of a link that has ended says so.
  const ended = () => {
    events.close();
    location.reload();
  };

  const met = () => {
    events.close();
    parts.connection.hidden = true;
    for (const other of parts.met.parentElement.children) {
      if (other !== parts.met) /** @type {HTMLElement} */ (other).hidden = true;
    }
    parts.met.hidden = false;
  };

  /** @type {EventSource} */
  let events;
  const connect = () => {
    events = new EventSource(eventsUrl);
    events.addEventListener("open", () => (parts.connection.hidden = true));
    events.addEventListener("position", ({ data }) => {
      shared = JSON.parse(data);
      draw();
    });
    // The answer to this page's own position comes with the end of the stream.
    events.addEventListener("end", () => (told && meetingUrl ? setTimeout(() => parts.met.hidden && ended(), MEETING_MILLISECONDS) : ended()));
    events.addEventListener("error", () => {
      parts.connection.querySelector("[data-words]").textContent = element.dataset.lost;
      parts.connection.hidden = false;
      // A refused stream isn't tried again by the browser.
      if (events.readyState === EventSource.CLOSED) setTimeout(() => check(), 3_000);
    });
  };
  const check = async () => {
    try {
      const answer = await fetch(location.pathname, { headers: { Accept: "application/json" } });
      if (answer.status === 404) return location.reload();
    } catch {
      // Still without a connection.
    }
    connect();
  };

  const meet = async () => {
    if (!meetingUrl || timer) return;
    const pause = told + SHORTEST_PAUSE_MILLISECONDS - Date.now();
    if (pause > 0) {
      timer = setTimeout(() => {
        timer = null;
        meet();
      }, pause);
      return;
    }
    told = Date.now();
    try {
      const answer = await fetch(meetingUrl, {
        method: "POST",
        headers: { "Content-Type": "application/json", Accept: "application/json" },
        body: JSON.stringify({ latitude: mine.latitude, longitude: mine.longitude, accuracy: mine.accuracy }),
      });
      if (answer.ok && (await answer.json()).hasMet) met();
    } catch {
      // The next position tries again.
    }
  };

  const arrived = ({ coords }) => {
    const { latitude, longitude, accuracy } = coords;
    mine = { latitude, longitude, accuracy };
    parts.allow.hidden = true;
    draw();
    meet();
  };
  const failed = (error) => {
    if (mine) return;
    const isDenied = error.code === error.PERMISSION_DENIED;
    parts.distance.textContent = isDenied ? element.dataset.denied : element.dataset.unknown;
  };
  if (navigator.geolocation && isSecureContext) {
    parts.allow.addEventListener("click", () => navigator.geolocation.watchPosition(arrived, failed, WAIT));
    // Not before: a tap while the map's library loads would be lost.
    parts.reader.hidden = false;
  }
  addEventListener("pagehide", () => events.close());
  addEventListener("pageshow", ({ persisted }) => persisted && connect());
  new ResizeObserver(view.resized).observe(element);
  draw();
  connect();
}
