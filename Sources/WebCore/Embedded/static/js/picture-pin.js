// The picture PIN of a child on a shared tablet. The pictures are tapped once for each visit of the child's pages; they
// are stored in this tab until the page of all children opens, and sent with each of the child's changes.
const PREFIX = "picture-pin:";
const PATIENCE_MILLISECONDS = 5_000;

const known = (person) => sessionStorage.getItem(PREFIX + person);

// In the capture phase, so that the pictures are in the form before it is sent or queued.
document.addEventListener("submit", (event) => {
  const field = /** @type {HTMLInputElement} */ (event.target.querySelector("[data-pin-field]"));
  if (field) field.value = known(field.dataset.pinField) ?? "";
}, true);

/** Forgets the pictures of all children. */
export function forgetAll() {
  for (const name of Object.keys(sessionStorage)) {
    if (name.startsWith(PREFIX)) sessionStorage.removeItem(name);
  }
}

// The back button can restore the page of all children as it was left.
addEventListener("pageshow", (event) => {
  if (event.persisted && document.querySelector("[data-tablet]")) forgetAll();
});

/** Whether the server accepts the pictures. Without a connection they are accepted here: the server checks them again
 * when it gets the change. */
async function isRight(pad, pin) {
  try {
    const answer = await fetch(pad.dataset.check, {
      method: "POST", body: new URLSearchParams({ pin }), headers: { Accept: "application/json" },
      signal: AbortSignal.timeout?.(PATIENCE_MILLISECONDS),
    });
    if (answer.ok || answer.status >= 500) return "";
    return (await answer.json()).error?.message || pad.dataset.textWrong;
  } catch {
    return "";
  }
}

export function attach(pad) {
  const person = pad.dataset.picturePad;
  const steps = [...pad.querySelectorAll("[data-chosen]")];
  const keys = [...pad.querySelectorAll("[data-key]")];
  const error = pad.querySelector("[data-pad-error]");
  let chosen = [];
  const show = () => steps.forEach((step, index) => (step.hidden = index !== chosen.length));
  const open = () => {
    const hadFocus = pad.contains(document.activeElement);
    document.documentElement.setAttribute("data-pin-known", "");
    // The focused key is hidden now.
    if (hadFocus) document.getElementById("main").focus({ preventScroll: true });
  };
  if ("isWrong" in pad.dataset) {
    sessionStorage.removeItem(PREFIX + person);
    document.documentElement.removeAttribute("data-pin-known");
    const address = new URL(location.href);
    address.searchParams.delete("pin");
    history.replaceState(history.state, "", address);
  }
  if (known(person)) return open();
  show();
  pad.addEventListener("click", async (event) => {
    if (event.target.closest("[data-clear]")) {
      chosen = [];
      return show();
    }
    const key = event.target.closest("[data-key]");
    if (!key || chosen.length === steps.length - 1) return;
    chosen.push(key.value);
    error.textContent = "";
    show();
    if (chosen.length < steps.length - 1) return;
    const pin = chosen.join("-");
    const problem = await isRight(pad, pin);
    if (!problem) {
      sessionStorage.setItem(PREFIX + person, pin);
      return open();
    }
    chosen = [];
    show();
    error.textContent = problem;
    keys[0].focus();
  });
}
