import { restoreWaiting, waitingValues } from "./draft.js";

// A contract's levels: adds and removes rows, sums their points, and marks levels beyond the maximum while typing.

/** The typed whole number; null for anything else. */
export function whole(typed) {
  const text = typed.replace(/\s/g, "");
  return /^\d{1,9}$/.test(text) ? Number(text) : null;
}

/** The error of each level's points: "high" if they alone are too many, "sum" if the levels up to it exceed the
 * maximum, or null. */
export function judge(points, maximum) {
  if (maximum === null) return points.map(() => null);
  let sum = 0;
  return points.map((value) => {
    if (value === null) return null;
    const before = sum;
    sum += value;
    if (value > maximum) return "high";
    return before <= maximum && sum > maximum ? "sum" : null;
  });
}

function rename(row, index, texts) {
  for (const name of ["id", "name", "for", "aria-describedby"]) {
    for (const element of row.querySelectorAll(`[${name}]`)) {
      element.setAttribute(name, element.getAttribute(name).replace(/(levels[-.])\d+/g, `$1${index}`));
    }
  }
  row.querySelector("[data-level-title]").textContent = texts.levelsTitle.replace("{n}", index + 1);
  row.querySelector("[data-level-remove]").setAttribute("aria-label", texts.levelsRemove.replace("{n}", index + 1));
}

function empty(row) {
  for (const input of row.querySelectorAll("input")) {
    input.value = "";
    input.defaultValue = "";
    input.removeAttribute("aria-invalid");
  }
  row.querySelectorAll(".is-invalid").forEach((field) => field.classList.remove("is-invalid"));
  row.querySelectorAll(".field-error").forEach((message) => (message.textContent = ""));
}

export function attach(section) {
  const list = section.querySelector("[data-level-rows]");
  const form = section.closest("form");
  const maximum = form.elements.namedItem("maxPoints");
  const total = section.querySelector("[data-level-sum]");
  const add = section.querySelector("[data-level-add]");
  const texts = section.dataset;
  const limit = Number(texts.levels);
  const rows = () => [...list.querySelectorAll("[data-level-row]")];
  const numberOf = (row) => row.querySelector("[data-level-points]");
  const pointsOfRows = () => rows().map((row) => whole(numberOf(row).value));
  const sumOf = (points) => points.reduce((before, value) => before + (value ?? 0), 0);
  // The maximum follows the levels until the person types another one.
  let follows = maximum.value.trim() === "" || whole(maximum.value) === sumOf(pointsOfRows());

  const derive = () => {
    // A draft contains only a maximum that was typed.
    maximum.toggleAttribute("data-no-draft", follows);
    if (!follows) return;
    const sum = sumOf(pointsOfRows());
    maximum.value = sum > 0 ? String(sum) : "";
  };

  const say = (row, fault) => {
    const input = numberOf(row);
    const field = input.closest(".field");
    const message = field.querySelector(".field-error");
    const ours = [texts.levelsHigh, texts.levelsSumHigh];
    if (!fault && !ours.includes(message.textContent)) return;
    message.textContent = fault === "high" ? texts.levelsHigh : fault === "sum" ? texts.levelsSumHigh : "";
    field.classList.toggle("is-invalid", Boolean(fault));
    if (fault) input.setAttribute("aria-invalid", "true");
    else input.removeAttribute("aria-invalid");
  };

  const count = () => {
    derive();
    const points = pointsOfRows();
    const most = whole(maximum.value);
    judge(points, most).forEach((fault, index) => say(rows()[index], fault));
    const sum = sumOf(points);
    const number = (value) => value.toLocaleString(document.documentElement.lang);
    total.textContent = most === null || sum === 0
      ? "" : texts.levelsSum.replace("{n}", number(sum)).replace("{max}", number(most));
    const error = section.querySelector("#levels-error");
    if (most === null || sum <= most) error.textContent = "";
  };

  const arrange = () => {
    rows().forEach((row, index) => rename(row, index, texts));
    section.querySelectorAll("[data-level-remove]").forEach((button) => (button.hidden = rows().length === 1));
    if (add) add.hidden = rows().length >= limit;
    count();
  };

  const append = () => {
    const row = rows().at(-1).cloneNode(true);
    empty(row);
    list.append(row);
    arrange();
    return row;
  };

  add?.addEventListener("click", (event) => {
    event.preventDefault();
    append().querySelector("input").focus();
  });
  // A suggestion fills the first row without a reward, and then asks for its points.
  section.addEventListener("click", (event) => {
    const suggestion = event.target.closest?.("[data-level-suggestion]");
    if (!suggestion) return;
    const blank = rows().find((row) => row.querySelector("input").value.trim() === "");
    if (!blank && rows().length >= limit) return;
    const row = blank ?? append();
    const reward = row.querySelector("input");
    reward.value = suggestion.textContent;
    reward.dispatchEvent(new Event("input", { bubbles: true }));
    numberOf(row).focus();
  });
  // A preset fills the row whose points were typed last, or the last row.
  let latest = null;
  list.addEventListener("focusin", (event) => (latest = event.target.closest("[data-level-row]")));
  section.addEventListener("click", (event) => {
    const preset = event.target.closest?.("[data-level-preset]");
    if (!preset) return;
    const points = numberOf(latest?.isConnected ? latest : rows().at(-1));
    points.value = preset.dataset.levelPreset;
    points.dispatchEvent(new Event("input", { bubbles: true }));
  });
  list.addEventListener("click", (event) => {
    const row = event.target.closest?.("[data-level-remove]")?.closest("[data-level-row]");
    if (!row || rows().length === 1) return;
    row.remove();
    form.setAttribute("data-changed", "");
    arrange();
  });
  // On the document, after the form's own listener, which removes errors while typing.
  document.addEventListener("input", (event) => {
    if (event.target === maximum || list.contains(event.target)) count();
  });
  // On the field itself, before the form stores the draft.
  maximum.addEventListener("input", () => {
    follows = false;
    maximum.removeAttribute("data-no-draft");
  });
  // An emptied maximum follows again once the person leaves the field.
  maximum.addEventListener("change", () => {
    follows = maximum.value.trim() === "";
    count();
  });
  arrange();
  const draft = waitingValues(form);
  if (draft) {
    const names = draft.map(([name]) => name);
    const wanted = names.filter((name) => /^levels\.\d+\.points$/.test(name)).length;
    while (rows().length < Math.min(wanted, limit)) append();
    follows = !names.includes("maxPoints");
    derive();
    restoreWaiting(form);
    count();
  }
}
