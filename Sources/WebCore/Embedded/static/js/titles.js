// A name that changes while its page is open also appears outside the live parts: in the title, the bar, and the
// browser's tab. The live part contains it in data-shell-title and similar attributes (template shell-titles).
import { nameParent } from "./bar.js";
import { enhance } from "./enhance.js";

const NAMES = ["data-shell-title", "data-shell-document-title", "data-shell-parent"];

function show({ shellTitle, shellDocumentTitle, shellParent }) {
  for (const title of document.querySelectorAll(".bar-title, .head .title")) {
    if (title.textContent !== shellTitle) title.textContent = shellTitle;
  }
  if (shellDocumentTitle) document.title = shellDocumentTitle;
  const back = document.querySelector(".bar [data-back]");
  if (back && shellParent) nameParent(back, shellParent);
}

enhance("#main [data-shell-title]", (element) => {
  let shown = { ...element.dataset };
  new MutationObserver(() => {
    const fresh = { ...element.dataset };
    const isSame = Object.keys(fresh).every((name) => fresh[name] === shown[name]);
    shown = fresh;
    if (!isSame && element.isConnected) show(fresh);
  }).observe(element, { attributes: true, attributeFilter: NAMES });
});
