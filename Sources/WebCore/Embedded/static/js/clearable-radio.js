// Optional radio buttons: a second tap clears the choice, and so does the space bar.
const wasChosen = new WeakMap();

export function attach(radio) {
  const clear = () => {
    radio.checked = false;
    radio.dispatchEvent(new Event("change", { bubbles: true }));
  };
  const rememberState = () => wasChosen.set(radio, radio.checked);
  (radio.closest("label") ?? radio).addEventListener("pointerdown", rememberState);
  radio.addEventListener("keydown", (event) => {
    if (radio.checked) {
      // Browsers fire no click for the space bar on a selected radio button.
      if (event.key !== " ") return;
      event.preventDefault();
      clear();
    } else if (event.key === " ") {
      rememberState();
    } else if (event.key === "Enter") {
      // Enter would submit the form without the focused choice.
      event.preventDefault();
      rememberState();
      radio.click();
    }
  });
  radio.addEventListener("click", () => {
    const isSecond = wasChosen.get(radio);
    wasChosen.set(radio, false);
    if (isSecond) clear();
  });
  // The hint that a choice is missing isn't needed any more.
  radio.addEventListener("change", () => {
    const hint = radio.form?.querySelector("[data-until-chosen]");
    if (hint && radio.checked) hint.hidden = true;
  });
}
