// Keeps the search of a list in the page's URL: data-search-address on its form. Reloading, sharing and going back show
// the same list, also by the back links of the pages that it links to.
import { enhance } from "./enhance.js";

const PREFIX = "search:";

function query(form) {
  const filled = [...new FormData(form)].filter(([, value]) => value !== "");
  return filled.length ? `?${new URLSearchParams(/** @type {string[][]} */ (filled))}` : "";
}

enhance("form[data-search-address]", (form) => {
  // Beside a detail page, the list's URL differs from the page's.
  const { pathname } = new URL(form.getAttribute("action"), location.href);
  const isPage = pathname === location.pathname;
  if (isPage) sessionStorage.setItem(PREFIX + pathname, location.search);
  form.addEventListener("htmx:afterRequest", () => {
    if (isPage) history.replaceState(history.state, "", pathname + query(form));
    sessionStorage.setItem(PREFIX + pathname, query(form));
  });
});

// The list names the field that the server couldn't read: data-wrong-field and data-wrong-message.
document.addEventListener("htmx:afterSettle", () => {
  for (const form of document.querySelectorAll("form[data-search-address]")) {
    const { wrongField, wrongMessage = "" } = document.querySelector(form.getAttribute("hx-target"))?.dataset ?? {};
    for (const field of form.querySelectorAll("input[aria-describedby]")) {
      const isWrong = field.id === wrongField;
      if (isWrong) field.setAttribute("aria-invalid", "true");
      else field.removeAttribute("aria-invalid");
      field.closest(".field")?.classList.toggle("is-invalid", isWrong);
      document.getElementById(field.getAttribute("aria-describedby")).textContent = isWrong ? wrongMessage : "";
    }
  }
});

/** The URL of a list with the last search in it. */
export function withSearch(list) {
  const address = new URL(list, location.href);
  const search = address.search ? "" : sessionStorage.getItem(PREFIX + address.pathname);
  // A search with a role belongs to another list of the same path.
  return search && !new URLSearchParams(search).has("role") ? address.pathname + search : list;
}

enhance("[data-back]", (link) => {
  link.href = withSearch(link.href);
});
