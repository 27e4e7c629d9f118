// This phone's position, while the page is open and the reader allows it: sent to the server when it changes, and now
// and then while it doesn't. The permission is requested on a tap, never automatically.
import { metresBetween } from "./geometry.js";
import { text } from "./strings.js";

const SHORTEST_MOVE_METRES = 5;
const LONGEST_SILENCE_MILLISECONDS = 30_000;
const SHORTEST_PAUSE_MILLISECONDS = 1_000;

let latest = null;

/** The phone's last known position: {latitude, longitude, accuracy}, or null. */
export function current() {
  return latest;
}

/** Whether to send a position: the first one at once, then after 5 m or 30 s. `told` is the last one that was sent. */
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
  // The list asks. The details of an item ask while the distance is unknown because the phone's position is missing.
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
    // A position from a moment ago is still good enough; a time-out isn't reported.
    else if (latest) return;
    title.textContent = isDenied
      ? (banner.dataset.textDenied ?? text("positionDenied"))
      : text("positionUnavailable");
    note.hidden = true;
    button.hidden = isDenied;
    banner.hidden = !mayAsk();
  };

  const start = () => {
    if (watch !== null) return;
    watch = navigator.geolocation.watchPosition(arrived, failed, {
      enableHighAccuracy: true,
      // A live link shows only positions that are measured after its creation.
      maximumAge: document.querySelector("[data-fresh-position]") ? 0 : 5_000,
      timeout: 30_000,
    });
  };

  function stop() {
    if (watch !== null) navigator.geolocation.clearWatch(watch);
    watch = null;
  }

  // A phone that doesn't move reports nothing.
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

  // Whether the position is sent: that of a sharing person's page only while it is shared.
  let isOn = banner.dataset.whileSharing !== "off";
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

  document.addEventListener("hw:sharing", ({ detail: isSharing }) => {
    if (banner.dataset.whileSharing === undefined || isSharing === isOn) return;
    isOn = isSharing;
    if (isOn) return followPermission();
    isAllowed = false;
    banner.hidden = true;
    stop();
  });

  button.addEventListener("click", () => {
    isAllowed = true;
    start();
  });

  let isWatchingPermission = false;
  const followPermission = () => {
    if (!navigator.permissions?.query) return follow("prompt");
    navigator.permissions.query({ name: "geolocation" }).then(
      (permission) => {
        if (isOn) follow(permission.state);
        if (isWatchingPermission) return;
        isWatchingPermission = true;
        permission.addEventListener("change", () => isOn && follow(permission.state));
      },
      () => isOn && follow("prompt"),
    );
  };
  if (isOn) followPermission();
}
