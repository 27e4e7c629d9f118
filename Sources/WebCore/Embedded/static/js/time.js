// Times for the reader: "4 min ago" that ticks, the exact time on tap, in the reader's time zone and language.
import { enhance } from "./enhance.js";
import { language, text } from "./strings.js";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const TICK_MILLISECONDS = 10_000;

/** The age in one unit: the largest that fits.
 * @returns {{ value: number, unit: Intl.RelativeTimeFormatUnit }} */
export function age(milliseconds) {
  const past = Math.max(0, milliseconds);
  if (past < MINUTE) return { value: 0, unit: "second" };
  if (past < HOUR) return { value: Math.floor(past / MINUTE), unit: "minute" };
  if (past < DAY) return { value: Math.floor(past / HOUR), unit: "hour" };
  return { value: Math.floor(past / DAY), unit: "day" };
}

export function relative(milliseconds, locale, now) {
  const { value, unit } = age(milliseconds);
  if (value === 0) return now;
  // The words of the server's TimeFormatter: short for minutes and hours, "2 jours" and "2 días" for days.
  const style = unit === "day" ? "long" : "short";
  const words = new Intl.RelativeTimeFormat(locale, { style, numeric: "always" }).format(-value, unit);
  // English abbreviations end with a full stop, which we omit; a number and its unit stay on one line.
  return (locale.startsWith("en") ? words.replace(".", "") : words).replace(/(\d) /, "$1\u00a0");
}

const STYLES = {
  "": { weekday: "short", day: "numeric", month: "short", hour: "numeric", minute: "2-digit" },
  time: { hour: "numeric", minute: "2-digit" },
  day: { weekday: "short", day: "numeric", month: "short" },
  date: { day: "numeric", month: "long", year: "numeric" },
  full: { dateStyle: "full", timeStyle: "medium" },
};
const WHOLE_DAY = "until";

/** The end of a whole day is stored as the first instant of the next day. Only the reader's time zone determines
 * which day that is; any other instant is shown as a time. "until-day" omits the time. */
function until(date, locale, style) {
  const last = new Date(date.getTime() - 1);
  const isWholeDay = last.getDate() !== date.getDate() && date.getHours() === 0 && date.getMinutes() === 0;
  if (isWholeDay || style !== WHOLE_DAY) return exact(last, locale, "day");
  return exact(date, locale, "");
}

/** 9:05 AM with a 12-hour clock, 09:05 otherwise. */
function withHours(options, locale) {
  if (!options.hour) return options;
  const { hour12 } = new Intl.DateTimeFormat(locale, { hour: "numeric" }).resolvedOptions();
  return { ...options, hour: hour12 ? "numeric" : "2-digit" };
}

/** "short" omits the day if it is today, and the year if it is the current one. "seconds" is the same with seconds,
 * for times that differ by less than a minute. */
export function exact(date, locale, style, now = new Date()) {
  if (style?.startsWith(WHOLE_DAY)) return until(date, locale, style);
  let options = STYLES[style] ?? STYLES[""];
  if (style === "short" || style === "seconds") {
    if (date.toDateString() === now.toDateString()) options = STYLES.time;
    else if (date.getFullYear() !== now.getFullYear()) options = { ...STYLES[""], weekday: undefined, year: "numeric" };
  }
  if (style === "seconds") options = { ...options, second: "2-digit" };
  return new Intl.DateTimeFormat(locale, withHours(options, locale)).format(date);
}

function write(element, words) {
  const target = element.firstElementChild ?? element;
  if (target.textContent !== words) target.textContent = words;
}

function show(element) {
  const date = new Date(element.dateTime);
  if (Number.isNaN(date.getTime())) return;
  if (element.hasAttribute("data-exact")) {
    write(element, exact(date, language, element.dataset.exact));
    return;
  }
  element.title = exact(date, language, "full");
  const isOpen = element.hasAttribute("data-open");
  const ago = () => relative(Date.now() - date.getTime(), language, text("justNow"));
  write(element, isOpen ? exact(date, language, "short") : ago());
}

function makeTappable(element) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "time-button";
  button.textContent = element.textContent;
  element.replaceChildren(button);
  button.addEventListener("click", () => {
    element.toggleAttribute("data-open");
    show(element);
  });
}

enhance("time[data-relative]", (element) => {
  if (element.dataset.relative === "tap" && !element.closest("a")) makeTappable(element);
  show(element);
});
enhance("time[data-exact]", show);

// Live updates change an element's instant in place.
new MutationObserver((changes) => changes.forEach((change) => show(change.target)))
  .observe(document.body, { subtree: true, attributes: true, attributeFilter: ["datetime", "data-exact"] });

setInterval(() => {
  if (!document.hidden) document.querySelectorAll("time[data-relative]").forEach(show);
}, TICK_MILLISECONDS);
document.addEventListener("visibilitychange", () => document.querySelectorAll("time[data-relative]").forEach(show));
