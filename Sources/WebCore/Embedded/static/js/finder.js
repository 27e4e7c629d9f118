// The finder's position in the form to the owner: it is added on a tap, and can be removed before the form is sent.
const WAIT = { enableHighAccuracy: true, maximumAge: 10_000, timeout: 20_000 };
const DIGITS = 6;

export function attach(part) {
  const add = part.querySelector("[data-add-position]");
  const remove = part.querySelector("[data-remove-position]");
  const note = part.querySelector("[data-position-state]");
  const fields = part.closest("form").elements;
  if (!navigator.geolocation || !isSecureContext) {
    part.hidden = true;
    return;
  }

  const show = (state) => {
    note.textContent = state ? part.dataset[state] : "";
    add.hidden = state === "added";
    remove.hidden = state !== "added";
  };
  const fill = (latitude, longitude, accuracy) => {
    fields.latitude.value = latitude;
    fields.longitude.value = longitude;
    fields.accuracy.value = accuracy;
  };

  add.addEventListener("click", () => {
    show("");
    add.setAttribute("aria-busy", "true");
    navigator.geolocation.getCurrentPosition(({ coords }) => {
      add.removeAttribute("aria-busy");
      fill(coords.latitude.toFixed(DIGITS), coords.longitude.toFixed(DIGITS), String(Math.round(coords.accuracy)));
      show("added");
      remove.focus();
    }, () => {
      add.removeAttribute("aria-busy");
      show("failed");
    }, WAIT);
  });
  remove.addEventListener("click", () => {
    fill("", "", "");
    show("");
    add.focus();
  });
  part.closest("form").addEventListener("reset", () => {
    fill("", "", "");
    show("");
  });
  show(fields.latitude.value ? "added" : "");
}
