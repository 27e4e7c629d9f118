// Shows the small title in the bar instead of the large one once the page is scrolled.
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
    // While the large title scrolls out of view, the bar must be opaque: the title would overlap the back link.
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

// A parent's name that doesn't fit is replaced with "Back"; screen readers still read the name.
function fit(link) {
  const label = link.querySelector("span");
  if (!label || label.scrollWidth <= label.clientWidth) return;
  link.setAttribute("aria-label", label.textContent);
  label.textContent = text("back");
}

/** Sets the parent's name of the back link. */
export function nameParent(link, name) {
  link.querySelector("span").textContent = name;
  link.removeAttribute("aria-label");
  fit(link);
}

enhance("[data-back]", fit);
