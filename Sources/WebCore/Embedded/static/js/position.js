// This phone's place, while the page is open and the reader allowed it: told to the server when it moved, and now and
// then while it did not. Asks on a tap, never on arrival.
import { metresBetween } from "./geometry.js";
import { text } from "./strings.js";

const SHORTEST_MOVE_METRES = 5;
const LONGEST_SILENCE_MILLISECONDS = 30_000;
const SHORTEST_PAUSE_MILLISECONDS = 1_000;

let latest = null;

/** The phone's last known place: {latitude, longitude, accuracy}, or null. */
export function current() {
  return latest;
}

/** Whether a place is worth telling: the first one at once, then after 5 m or 30 s. `told` is what was told last. */
export function isWorthTelling(place, told, now) {
  if (!told) return true;
  const silence = now - told.at;
  if (silence < SHORTEST_PAUSE_MILLISECONDS) return false;
  return silence >= LONGEST_SILENCE_MILLISECONDS || metresBetween(place, told) >= SHORTEST_MOVE_METRES;
}

function read(position) {
  const { latitude, longitude, accuracy } = position.coords;
  return { latitude, longitude, accuracy: Number.isFinite(accuracy) ? accuracy : null, time: position.timestamp };
}

export function attach(banner) {
  if (!navigator.geolocation || !isSecureContext) return;
  // The list asks. The details of an item ask while the distance is unknown for want of a phone's position.
  const mayAsk = () =>
    !document.body.classList.contains("has-pane") || document.querySelector("[data-needs-position]") !== null;
  const title = banner.querySelector("[data-position-title]");
  const note = banner.querySelector("[data-position-note]");
  const button = banner.querySelector("[data-position-allow]");
  let watch = null;
  let told = null;

  const tell = async (place) => {
    const before = told;
    told = { ...place, at: Date.now() };
    try {
      const answer = await fetch(banner.dataset.position, {
        method: "PUT",
        headers: { "Content-Type": "application/json", Accept: "application/json" },
        body: JSON.stringify({
          latitude: place.latitude,
          longitude: place.longitude,
          accuracy: place.accuracy,
          at: new Date(place.time).toISOString(),
        }),
      });
      if (!answer.ok) throw new Error(String(answer.status));
      document.dispatchEvent(new CustomEvent("hw:position", { detail: place }));
    } catch {
      // The next fix tries again.
      told = before;
    }
  };

  const arrived = (position) => {
    banner.hidden = true;
    latest = read(position);
    document.dispatchEvent(new CustomEvent("hw:moved", { detail: latest }));
    if (isWorthTelling(latest, told, Date.now())) tell(latest);
  };

  const failed = (error) => {
    const isDenied = error.code === error.PERMISSION_DENIED;
    if (isDenied) stop();
    // A place that was known a moment ago is still good enough; silence is no reason to alarm.
    else if (latest) return;
    title.textContent = isDenied ? text("positionDenied") : text("positionUnavailable");
    note.hidden = true;
    button.hidden = isDenied;
    banner.hidden = !mayAsk();
  };

  const start = () => {
    if (watch !== null) return;
    watch = navigator.geolocation.watchPosition(arrived, failed, {
      enableHighAccuracy: true,
      maximumAge: 5_000,
      timeout: 30_000,
    });
  };

  function stop() {
    if (watch !== null) navigator.geolocation.clearWatch(watch);
    watch = null;
  }

  // A phone that lies still reports nothing by itself.
  setInterval(() => {
    if (watch === null || document.hidden) return;
    if (told && Date.now() - told.at < LONGEST_SILENCE_MILLISECONDS) return;
    const options = { enableHighAccuracy: true, maximumAge: 0, timeout: 20_000 };
    navigator.geolocation.getCurrentPosition(arrived, () => {}, options);
  }, LONGEST_SILENCE_MILLISECONDS);

  document.addEventListener("visibilitychange", () => {
    if (document.hidden) stop();
    else if (isAllowed) start();
  });

  let isAllowed = false;
  const follow = (state) => {
    document.documentElement.removeAttribute("data-asks-position");
    localStorage.setItem("position", state);
    isAllowed = state === "granted";
    banner.hidden = true;
    if (isAllowed) return start();
    if (state === "denied") return failed({ code: 1, PERMISSION_DENIED: 1 });
    button.hidden = false;
    banner.hidden = !mayAsk();
  };

  button.addEventListener("click", () => {
    isAllowed = true;
    start();
  });

  if (!navigator.permissions?.query) return follow("prompt");
  navigator.permissions.query({ name: "geolocation" }).then(
    (permission) => {
      follow(permission.state);
      permission.addEventListener("change", () => follow(permission.state));
    },
    () => follow("prompt"),
  );
}
