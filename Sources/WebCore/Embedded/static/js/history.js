// Where the back and forward buttons lead, when a page they would ask for again can't be shown a second time.
import { enhance } from "./enhance.js";

// What is shown only once stands under an address that can be asked for again.
enhance("[data-address]", (element) => history.replaceState(history.state, "", element.dataset.address));

// Back from where a deletion led: what was deleted makes way for the list that it was in.
enhance("[data-gone]", (element) => {
  const way = performance.getEntriesByType("navigation")[0]?.type;
  if (way === "back_forward") location.replace(element.dataset.gone);
});
