// The large title gives way to the small one in the bar once the page is scrolled.
import { enhance } from "./enhance.js";
import { text } from "./strings.js";

enhance("[data-bar]", (bar) => {
  const title = document.querySelector(".head .title");
  const isRoot = title?.closest(".head-root");
  let isScheduled = false;

  const update = () => {
    isScheduled = false;
    if (!bar.isConnected) return;
    const limit = title && !isRoot ? title.offsetTop + title.offsetHeight - bar.offsetHeight : 6;
    document.body.toggleAttribute("data-scrolled", scrollY > Math.max(limit, 6));
    // While the large title is on its way out of sight, nothing may shine through the bar: it would lie over the way back.
    const end = title && !isRoot ? title.offsetTop + title.offsetHeight : 0;
    document.body.toggleAttribute("data-under-bar", scrollY > 0 && scrollY < end);
  };
  addEventListener("scroll", () => {
    if (isScheduled) return;
    isScheduled = true;
    requestAnimationFrame(update);
  }, { passive: true });
  update();
});

// A parent's name that does not fit gives way to "Back"; who cannot see the bar still hears the name.
function fit(link) {
  const label = link.querySelector("span");
  if (!label || label.scrollWidth <= label.clientWidth) return;
  link.setAttribute("aria-label", label.textContent);
  label.textContent = text("back");
}

/** Gives the way back another parent's name. */
export function nameParent(link, name) {
  link.querySelector("span").textContent = name;
  link.removeAttribute("aria-label");
  fit(link);
}

enhance("[data-back]", fit);
