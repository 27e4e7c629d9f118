// Radio buttons of which none needs to be chosen: a second tap takes the choice back, and so does the space bar.
const wasChosen = new WeakMap();

export function attach(radio) {
  const takeBack = () => {
    radio.checked = false;
    radio.dispatchEvent(new Event("change", { bubbles: true }));
  };
  const note = () => wasChosen.set(radio, radio.checked);
  (radio.closest("label") ?? radio).addEventListener("pointerdown", note);
  radio.addEventListener("keydown", (event) => {
    if (radio.checked) {
      // Browsers make no click of the space bar on a radio button that is chosen already.
      if (event.key !== " ") return;
      event.preventDefault();
      takeBack();
    } else if (event.key === " ") {
      note();
    } else if (event.key === "Enter") {
      // It would send the form, without what the focus is on.
      event.preventDefault();
      note();
      radio.click();
    }
  });
  radio.addEventListener("click", () => {
    const isSecond = wasChosen.get(radio);
    wasChosen.set(radio, false);
    if (isSecond) takeBack();
  });
  // That something is to be chosen was said, and is done.
  radio.addEventListener("change", () => {
    const hint = radio.form?.querySelector("[data-until-chosen]");
    if (hint && radio.checked) hint.hidden = true;
  });
}
