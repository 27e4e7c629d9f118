// Finds the point of a form's end by the address in the form. The server asks its geocoder; the reader chooses.
const DIGITS = 6;

function element(name, className, content) {
  return Object.assign(document.createElement(name), { className, textContent: content });
}

/** The button that finds the address. */
export function attach(button) {
  const { elements } = /** @type {any} */ (document.getElementById(button.dataset.placeForm));
  const end = button.dataset.placeEnd;
  const results = document.createElement("div");
  results.setAttribute("role", "status");
  results.hidden = true;
  button.after(results);
  const fill = (...content) => {
    results.replaceChildren(...content);
    results.hidden = content.length === 0;
  };
  const say = (text) => fill(element("p", "button-reason", text));

  const credit = () => element("p", "field-hint", button.dataset.credit);
  const choose = ({ latitude, longitude }, ...shown) => {
    const fields = [elements[`${end}Latitude`], elements[`${end}Longitude`]];
    [latitude, longitude].forEach((degrees, index) => (fields[index].value = degrees.toFixed(DIGITS)));
    for (const kind of ["input", "change"]) {
      for (const field of fields) field.dispatchEvent(new Event(kind, { bubbles: true }));
    }
    fill(...shown);
    button.focus();
    document.getElementById("route-map").scrollIntoView({ block: "nearest" });
  };

  const show = (places) => {
    if (places.length === 0) return say(button.dataset.none);
    // A single place needs no choice; its name says what was found.
    if (places.length === 1) return choose(places[0], element("p", "button-reason", places[0].name), credit());
    const list = element("ul", "list", "");
    for (const place of places) {
      const row = Object.assign(element("button", "row", ""), { type: "button" });
      const text = element("span", "row-text", "");
      text.append(element("span", "row-title", place.name));
      row.append(text);
      row.addEventListener("click", () => choose(place));
      const item = document.createElement("li");
      item.append(row);
      list.append(item);
    }
    fill(list, credit());
  };

  button.addEventListener("click", async () => {
    const text = elements[end].value.trim();
    if (!text) {
      say(button.dataset.missing);
      elements[end].focus();
      return;
    }
    if (button.getAttribute("aria-busy") === "true") return;
    button.setAttribute("aria-busy", "true");
    try {
      const response = await fetch(button.dataset.placeSearch, {
        method: "POST",
        headers: { "Content-Type": "application/json", Accept: "application/json" },
        body: JSON.stringify({ text }),
      });
      const body = await response.json();
      if (response.ok) show(body.items);
      else say(body.error.fields.text ?? body.error.message);
    } catch {
      say(button.dataset.failed);
    } finally {
      button.removeAttribute("aria-busy");
    }
  });
}
