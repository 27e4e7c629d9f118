// Starts what every page has. The map is large, and fetched only where there is one.
import "./morph.js";
import "./bar.js";
import "./address.js";
import "./copy.js";
import "./explain.js";
import "./form.js";
import "./history.js";
import "./live.js";
import "./pane.js";
import "./pull.js";
import "./scroll.js";
import "./sheet.js";
import "./swipe.js";
import "./time.js";
import "./titles.js";
import "./toast.js";
import { enhance } from "./enhance.js";
import { attach as attachPhoto } from "./photo.js";
import { attach as attachPosition } from "./position.js";

enhance("[data-photo]", attachPhoto);
enhance("[data-position]", attachPosition);
enhance("[data-funds]", (element) => import("./funds.js").then((module) => module.watch(element)));
enhance("[data-day-end]", (element) => import("./day-end.js").then((module) => module.attach(element)));
enhance("[data-map]", (element) => import("./map.js").then((module) => module.show(element)));
document.dispatchEvent(new CustomEvent("hw:ready"));
