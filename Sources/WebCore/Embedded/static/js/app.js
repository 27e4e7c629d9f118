// Starts the scripts of every page. Scripts that only some pages need are loaded on demand.
import "./queue.js";
import "./morph.js";
import "./bar.js";
import "./address.js";
import "./copy.js";
import "./explain.js";
import "./form.js";
import "./messages.js";
import "./retype.js";
import "./history.js";
import "./live.js";
import "./lock.js";
import "./more.js";
import "./offline.js";
import "./notices.js";
import "./pane.js";
import "./pull.js";
import "./scroll.js";
import "./sharing-sign.js";
import "./sheet.js";
import "./swipe.js";
import "./time.js";
import "./titles.js";
import "./toast.js";
import "./waiting.js";
import { enhance } from "./enhance.js";
import { onDemand } from "./on-demand.js";
import { attach as attachPhoto } from "./photo.js";
import { attach as attachPosition } from "./position.js";

// The server divides histories into the days of this browser's time zone.
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
const secure = location.protocol === "https:" ? "; secure" : "";
if (zone) document.cookie = `homeward-zone=${zone}; path=/; samesite=lax${secure}`;

const withMapLibrary = { prepare: (module) => module.loadLibrary() };

enhance("[data-photo]", attachPhoto);
enhance("[data-into-view]", (element) => element.scrollIntoView({ block: "nearest" }));
enhance("[data-hide-code]", (button) => {
  const place = button.closest(".code-place");
  if (!place) return button.remove();
  // The button that shows the code is hidden while it is shown.
  button.focus({ preventScroll: true });
  button.addEventListener("click", () => {
    place.replaceChildren();
    place.nextElementSibling.querySelector("button").focus();
  });
});
enhance("[data-position]", attachPosition);
enhance("[data-time-zone]", (element) => {
  const field = element.querySelector("input");
  if (field) field.defaultValue = zone;
  const list = element.querySelector("select");
  // Zones have several names, so the browser's may be missing in the list.
  const known = list && [...list.options].find((option) => option.value === zone);
  const option = known ?? list?.appendChild(new Option(zone, zone));
  if (option) {
    for (const other of list.options) other.defaultSelected = other === option;
    list.value = zone;
  }
});
enhance("[data-choose-all]", (button) => {
  // Chooses all checkboxes of the name, or none if all are chosen.
  button.addEventListener("click", () => {
    const boxes = [...document.querySelectorAll(`input[name="${button.dataset.chooseAll}"]`)];
    const isEach = boxes.every((box) => box.checked);
    for (const box of boxes) box.checked = !isEach;
  });
});
enhance("[data-steps]", onDemand("./steps.js", (module, element) => module.attach(element)));
enhance("[data-picture-pad]", onDemand("./picture-pin.js", (module, pad) => module.attach(pad), { repeatsTaps: true }));
enhance("[data-pin-field]", onDemand("./picture-pin.js", () => {}));
enhance("[data-tablet]", onDemand("./picture-pin.js", (module) => module.forgetAll()));
enhance("[data-idle-return]", onDemand("./idle-return.js", (module, element) => module.attach(element)));
enhance("form[data-split-text]", onDemand("./split-sums.js", (module, form) => module.attach(form)));
enhance("[data-funds]", onDemand("./funds.js", (module, element) => module.watch(element)));
enhance("[data-day-end]", onDemand("./day-end.js", (module, element) => module.attach(element)));
enhance("[data-celebrate]", onDemand("./celebrate.js", (module, element) => module.attach(element)));
enhance("[data-codes]", onDemand("./sign-in-code.js", (module, element) => module.attach(element)));
enhance("[data-scanner]", onDemand("./scanner.js", (module, element) => module.attach(element)));
enhance('a[href="/family/scan"]', onDemand("./scanner.js", (module, link) => module.attachLink(link)));
enhance(
  "[data-levels]",
  onDemand("./levels.js", (module, element) => module.attach(element), { repeatsTaps: true }),
);
enhance("[data-family-setup]", onDemand("./family-setup.js", (module, form) => module.attach(form)));
enhance("[data-takes-back]", onDemand("./clearable-radio.js", (module, radio) => module.attach(radio)));
enhance(
  "form[data-passkey]",
  onDemand("./passkeys.js", (module, form) => module.attach(form), { repeatsTaps: true }),
);
enhance("form[data-fresh]", onDemand("./fresh.js", (module, form) => module.attach(form)));
enhance("[data-install]", onDemand("./install.js", (module, element) => module.attach(element)));
enhance("[data-push]", onDemand("./push.js", (module, section) => module.attach(section)));
enhance("[data-lock-view]", onDemand("./lock-view.js", (module, element) => module.attach(element)));
enhance("[data-wait]", onDemand("./lock-view.js", (module, element) => module.countDown(element)));
// A tap that comes before its script is loaded is stored for it.
enhance("[data-bluetooth-start]", (button) => button.addEventListener("click", () => (button.dataset.pressed = "")));
enhance("[data-bluetooth]", onDemand("./bluetooth.js", (module, panel) => module.attach(panel)));
enhance("[data-map]", onDemand("./map.js", (module, element) => module.show(element), withMapLibrary));
enhance("[data-all-map]", onDemand("./all-map.js", (module, element) => module.show(element), withMapLibrary));
enhance("[data-day-map]", onDemand("./day-map.js", (module, element) => module.show(element), withMapLibrary));
enhance("[data-alert-map]", onDemand("./alert-map.js", (module, element) => module.show(element), withMapLibrary));
enhance("[data-place-map]", onDemand("./place-map.js", (module, element) => module.show(element), withMapLibrary));
enhance("[data-route-map]", onDemand("./route-map.js", (module, element) => module.show(element), withMapLibrary));
enhance("[data-route-form]", onDemand("./route-map.js", (module, element) => module.pick(element), withMapLibrary));
enhance(
  "[data-place-here]",
  onDemand("./place-map.js", (module, button) => module.attachHere(button), { repeatsTaps: true }),
);
enhance(
  "[data-place-search]",
  onDemand("./place-search.js", (module, button) => module.attach(button), { repeatsTaps: true }),
);
enhance("[data-place-from]", onDemand("./place-map.js", (module, link) => module.attachOrigin(link)));
enhance(
  "[data-finder-position]",
  onDemand("./finder.js", (module, part) => module.attach(part), { repeatsTaps: true }),
);
enhance("[data-reading]", onDemand("./reading.js", (module, mark) => module.attach(mark)));
enhance("[data-conversation]", onDemand("./conversation.js", (module, log) => module.attach(log)));
enhance("[data-live-link]", onDemand("./live-link.js", (module, element) => module.show(element), withMapLibrary));
enhance("[data-print]", (button) => button.addEventListener("click", () => print()));
document.dispatchEvent(new CustomEvent("hw:ready"));
