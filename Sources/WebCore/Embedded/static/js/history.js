// The targets of the back and forward buttons for pages that can't be shown a second time.
import { enhance } from "./enhance.js";

// Content that is shown only once gets a URL that can be requested again.
enhance("[data-address]", (element) => history.replaceState(history.state, "", element.dataset.address));

// Going back after a deletion: a deleted resource's page is replaced with its list.
enhance("[data-gone]", (element) => {
  const way = performance.getEntriesByType("navigation")[0]?.type;
  if (way === "back_forward") location.replace(element.dataset.gone);
});
