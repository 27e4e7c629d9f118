// Runs before the first paint, for work that can't wait for the other scripts.

// Reserves room for the request for the phone's position, so that the layout doesn't shift when it appears.
(() => {
  const asks = isSecureContext && "geolocation" in navigator && localStorage.getItem("position") !== "granted";
  document.documentElement.toggleAttribute("data-asks-position", asks);
})();

// The fallback page has no account: it is as light or dark as the last page.
(() => {
  const CHOSEN = "scheme";
  const { dataset } = document.documentElement;
  const last = localStorage.getItem(CHOSEN) ?? "";
  const chosen = dataset.scheme ?? "";
  if ("offline" in dataset) {
    if (last) dataset.scheme = last;
  } else if (chosen !== last) {
    localStorage.setItem(CHOSEN, chosen);
  }
})();

// A tap before the scripts are loaded is stored, and executed once they are loaded (app.js fires hw:ready).
(() => {
  const needsScripts = "[data-install-button] button, [data-photo-pick], [data-sheet], [data-position-allow], [data-copy], [data-bluetooth-start], [data-place-here], [data-passkey-start]";
  let replay = null;

  const keepTap = (event) => {
    const target = event.target.closest?.(needsScripts);
    if (!target) return;
    event.preventDefault();
    replay = () => target.click();
  };
  const keepQuestion = (event) => {
    if (!event.target.hasAttribute("data-confirm") && !event.submitter?.hasAttribute("data-confirm")) return;
    event.preventDefault();
    replay = () => event.target.requestSubmit(event.submitter);
  };
  document.addEventListener("click", keepTap, true);
  document.addEventListener("submit", keepQuestion, true);
  document.addEventListener("hw:ready", () => {
    document.removeEventListener("click", keepTap, true);
    document.removeEventListener("submit", keepQuestion, true);
    replay?.();
  }, { once: true });
})();

// View transitions: whether the navigation goes into details or back; and the photo in a list moves to the same photo
// in the details.
(() => {
  const depth = (address) => new URL(address, location.href).pathname.split("/").length;

  const direction = (from, to) => {
    if (!from || !to) return "";
    const step = depth(to) - depth(from);
    return step > 0 ? "in" : step < 0 ? "out" : "";
  };

  // Only visible photos may move: a name that is used twice, or off screen, cancels the whole transition.
  const nameTravellers = (other) => {
    const named = [];
    for (const photo of document.querySelectorAll("[data-transition]")) {
      const box = photo.getBoundingClientRect();
      const isSeen = box.width > 0 && box.bottom > 0 && box.top < innerHeight;
      const id = photo.dataset.transition.replace(/^[a-z]+-/, "");
      if (!isSeen || !other.includes(id) || named.length > 0) continue;
      photo.style.viewTransitionName = "traveller";
      named.push(photo);
    }
    return () => named.forEach((photo) => (photo.style.viewTransitionName = ""));
  };

  // The browser skips a transition when the next navigation starts before its end. That isn't an error of the page.
  const afterwards = (transition, forget) => {
    transition.ready.catch(() => {});
    transition.finished.catch(() => {}).finally(forget);
  };

  addEventListener("pageswap", (event) => {
    if (!event.viewTransition || !event.activation?.entry) return;
    const forget = nameTravellers(`${event.activation.entry.url} ${location.href}`);
    afterwards(event.viewTransition, forget);
  });

  addEventListener("pagereveal", (event) => {
    const from = window.navigation?.activation?.from?.url;
    document.documentElement.dataset.travel = direction(from, location.href);
    if (!event.viewTransition || !from) return;
    const forget = nameTravellers(`${from} ${location.href}`);
    afterwards(event.viewTransition, forget);
  });
})();

// The browser offers to install the app at its own time; we show the offer when the reader asks for it (install.js).
addEventListener("beforeinstallprompt", (event) => {
  event.preventDefault();
  window.homewardInstallQuestion = event;
});
