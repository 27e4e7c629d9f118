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

/** A copy of the content of a <template> in the page.
 * @returns {any} */
export function template(id) {
  const { content } = /** @type {HTMLTemplateElement} */ (document.getElementById(id));
  return content.firstElementChild.cloneNode(true);
}
