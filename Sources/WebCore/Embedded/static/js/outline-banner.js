// What is above a map while the reader draws an outline on it: what to do, the number of corners, and how to end.
import { template } from "./strings.js";

const LEAST_CORNERS = 3;

/** Adds a hidden banner. Escape cancels. */
export function drawingBanner(map, { undo, done, cancel }) {
  const bar = template("outline-banner-template");
  const part = (name) => bar.querySelector(`[data-drawing-${name}]`);
  part("undo").addEventListener("click", undo);
  part("done").addEventListener("click", done);
  part("cancel").addEventListener("click", cancel);
  const cancelByKey = (event) => {
    if (event.key !== "Escape" || !bar.isConnected) return;
    event.preventDefault();
    cancel();
  };
  return {
    toggle: (isOn) => {
      if (isOn) {
        map.getContainer().before(bar);
        bar.scrollIntoView({ block: "start", behavior: "smooth" });
        document.addEventListener("keydown", cancelByKey);
      } else {
        bar.remove();
        document.removeEventListener("keydown", cancelByKey);
      }
    },
    count: (corners) => {
      part("count").textContent = part("count").dataset.text.replace("#", String(corners));
      part("undo").disabled = corners === 0;
      part("done").disabled = corners < LEAST_CORNERS;
    },
  };
}
