// The sign that this person shares their position: every page shows it while it is on, and follows changes.
const RESOURCE = "/account/position-sharing";
const sign = /** @type {HTMLElement} */ (document.querySelector("[data-sharing-sign]"));

async function follow() {
  let isSharing;
  try {
    const answer = await fetch("/my-position", { headers: { Accept: "application/json" } });
    if (!answer.ok) return;
    ({ isSharing } = await answer.json());
  } catch {
    // The next event or connection tries again.
    return;
  }
  sign.hidden = !isSharing;
  document.dispatchEvent(new CustomEvent("hw:sharing", { detail: isSharing }));
}

if (sign) {
  let wasConnected = false;
  document.addEventListener("hw:change", ({ detail }) => detail.resource === RESOURCE && follow());
  document.addEventListener("hw:connected", () => {
    // The page itself is as new as its first connection.
    if (wasConnected) follow();
    wasConnected = true;
  });
}
