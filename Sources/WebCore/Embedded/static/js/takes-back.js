// Radio buttons of which none needs to be chosen: a second tap takes the choice back.
const wasChosen = new WeakMap();

export function attach(radio) {
  const note = () => wasChosen.set(radio, radio.checked);
  (radio.closest("label") ?? radio).addEventListener("pointerdown", note);
  radio.addEventListener("keydown", (event) => event.key === " " && note());
  radio.addEventListener("click", () => {
    const isSecond = wasChosen.get(radio);
    wasChosen.set(radio, false);
    if (!isSecond) return;
    radio.checked = false;
    radio.dispatchEvent(new Event("change", { bubbles: true }));
  });
}
