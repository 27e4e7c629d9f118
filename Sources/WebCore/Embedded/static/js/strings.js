// The texts of the page: the server prints them in the reader's language; scripts contain none.
const words = { ...document.getElementById("strings")?.dataset, ...document.getElementById("offline-strings")?.dataset };

/** The page's language with the reader's own region, which determines 14:02 or 2:02 PM. */
export function localeFor(pageLanguage, preferred) {
  const base = (tag) => tag.split("-")[0].toLowerCase();
  return preferred.find((tag) => base(tag) === base(pageLanguage)) ?? pageLanguage;
}

export const language = localeFor(document.documentElement.lang || "en", navigator.languages ?? []);

export function text(name) {
  return words[`text${name[0].toUpperCase()}${name.slice(1)}`] ?? "";
}

// Letters that are read from right to left, and would turn the words and signs beside them around.
const RIGHT_TO_LEFT = /[\u0590-\u08ff\u200f\ufb1d-\ufdff\ufe70-\ufefe\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** A person's text as a part of a sentence, in which it reorders nothing (first strong isolate). */
export function isolated(value) {
  return RIGHT_TO_LEFT.test(value) ? `\u2068${value}\u2069` : value;
}

/** A copy of the content of a <template> in the page.
 * @returns {any} */
export function template(id) {
  const { content } = /** @type {HTMLTemplateElement} */ (document.getElementById(id));
  return content.firstElementChild.cloneNode(true);
}
