// On wide screens the list is beside the details. It is loaded only if there is room for it.
import { withSearch } from "./address.js";
import { enhance, enhanceAll } from "./enhance.js";
import { text } from "./strings.js";
import { toast } from "./toast.js";
/* global htmx */

const WIDE = matchMedia("(min-width: 700px)");
const SCROLL_KEY = "pane-scroll";

function markCurrent(list) {
  for (const link of list.querySelectorAll("a[href]")) {
    const isCurrent = new URL(link.href).pathname === location.pathname;
    link.closest(".card, .row")?.classList.toggle("is-current", isCurrent);
    if (isCurrent) link.setAttribute("aria-current", "page");
  }
}

enhance("[data-pane]", (pane) => {
  const list = pane.querySelector("[data-pane-list]");
  let isLoaded = false;

  const load = async () => {
    if (isLoaded || !WIDE.matches) return;
    isLoaded = true;
    // While the pane was hidden, its bell wasn't loaded.
    pane.querySelector("#bell")?.dispatchEvent(new CustomEvent("hw:refresh"));
    try {
      const headers = { "HX-Request": "true", "HX-Boosted": "true", Accept: "text/html" };
      const answer = await fetch(withSearch(pane.dataset.pane), { headers });
      if (!answer.ok) throw new Error(String(answer.status));
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      // The list with its search; the rest of the page isn't part of the pane.
      const parts = [...page.querySelectorAll(".main > form[data-search-address], .main > [data-live]")];
      if (parts.length === 0) throw new Error("no list");
      list.replaceChildren(...parts);
      htmx.process(list);
      enhanceAll(list);
      markCurrent(list);
      pane.scrollTop = Number(sessionStorage.getItem(SCROLL_KEY) ?? 0);
    } catch {
      isLoaded = false;
      toast({ text: text("failed"), problem: true });
    }
  };
  // An update brings the rows from the server, in which none is marked as the open one.
  for (const name of ["htmx:load", "htmx:afterSettle"]) list.addEventListener(name, () => markCurrent(list));
  addEventListener("pagehide", () => sessionStorage.setItem(SCROLL_KEY, String(Math.round(pane.scrollTop))));
  WIDE.addEventListener("change", load);
  load();
});
