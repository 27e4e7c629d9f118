import { isCachedPage } from "./cached-page.js";

// The sign that this person shares their position: every page shows it while it is on, and follows changes.
const RESOURCE = "/account/position-sharing";
const sign = /** @type {HTMLElement} */ (document.querySelector("[data-sharing-sign]"));

let requests = 0;

async function follow() {
  requests += 1;
  const request = requests;
  let isSharing;
  try {
    const answer = await fetch("/my-position", { headers: { Accept: "application/json" } });
    if (!answer.ok) return;
    ({ isSharing } = await answer.json());
  } catch {
    // The next event or connection tries again.
    return;
  }
  // A later request has a newer state, and may be answered first.
  if (request !== requests) return;
  sign.hidden = !isSharing;
  document.dispatchEvent(new CustomEvent("hw:sharing", { detail: isSharing }));
}

if (sign) {
  // A page is as new as its first connection, unless it comes from the cache. The page about the sharing is opened
  // right after a change.
  let mayBeOld = isCachedPage || location.pathname === "/my-position";
  document.addEventListener("hw:change", ({ detail }) => detail.resource === RESOURCE && follow());
  document.addEventListener("hw:connected", () => {
    if (mayBeOld) follow();
    mayBeOld = true;
  });
}
