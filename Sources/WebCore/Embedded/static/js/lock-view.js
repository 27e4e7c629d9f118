// The lock screen: a countdown after too many wrong passcodes, and the view while it opens.

/** Formats whole seconds as minutes and seconds. */
export function clock(seconds) {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** Counts a wait down, then enables the field again. */
export function countDown(banner) {
  const form = banner.closest("form");
  const display = banner.querySelector("[data-countdown]");
  // The device's clock may be wrong, and may be changed; it only has to run, also while the device sleeps.
  const end = Date.now() + Number(banner.dataset.wait) * 1_000;
  const show = () => {
    if (!banner.isConnected) return clearInterval(timer);
    const seconds = Math.max(0, Math.ceil((end - Date.now()) / 1_000));
    display.textContent = clock(seconds);
    if (seconds > 0) return;
    clearInterval(timer);
    banner.querySelector(".banner-text").textContent = banner.dataset.over;
    for (const part of form.querySelectorAll("input[disabled], button[disabled]")) part.disabled = false;
    form.querySelector("input[data-passcode]")?.focus();
  };
  const timer = setInterval(show, 250);
  show();
}

export function attach(view) {
  // A tab that shows the lock screen gets the mark: once the session is unlocked, here or in another tab, it is no new
  // launch.
  try {
    sessionStorage.setItem("homeward-tab", "open");
  } catch {
    // Without storage there is no detection of launches.
  }
  const opening = view.querySelector("[data-opening]");
  view.addEventListener("hw:leaving", ({ target }) => {
    if (target.hasAttribute("data-unlock") && opening) opening.hidden = false;
  });
  // The session may have been unlocked in another tab.
  document.addEventListener("visibilitychange", async () => {
    if (document.hidden || !view.isConnected) return;
    try {
      const answer = await fetch("/lock", { headers: { Accept: "application/json" } });
      if (answer.status === 401 || (answer.ok && !(await answer.json()).locked)) location.reload();
    } catch {
      // No connection: the state is unknown.
    }
  });
}
