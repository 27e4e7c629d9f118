// The Bluetooth part of a page: shows one state at a time, the steps in progress, and errors. All texts are in the
// page.
export function viewOf(panel) {
  const title = panel.querySelector("[data-bluetooth-title]");
  const said = panel.querySelector("[data-bluetooth-said]");
  const list = panel.querySelector("[data-bluetooth-steps]");
  const alert = panel.querySelector("[data-bluetooth-problem]");

  function show(state) {
    // The pressed button disappears: the focus moves to the part's title.
    const hadFocus = panel.contains(document.activeElement);
    panel.dataset.state = state;
    for (const part of panel.querySelectorAll("[data-bluetooth-when]")) {
      part.hidden = !part.dataset.bluetoothWhen.split(" ").includes(state);
    }
    if (hadFocus && document.activeElement?.closest("[hidden]")) title.focus();
  }

  const steps = (isPairing) => [...list.children].filter((one) => isPairing || !one.hasAttribute("data-pairing-only"));

  function mark(one, mark) {
    one.dataset.mark = mark;
    one.querySelector("[data-mark-words]").textContent = list.dataset[mark] ?? "";
    if (mark === "now") one.setAttribute("aria-current", "step");
    else one.removeAttribute("aria-current");
  }

  const words = (name) => panel.querySelector(`[data-saying="${name}"]`)?.dataset.text ?? "";

  return {
    show,
    state: () => panel.dataset.state,

    /** Shows the steps in progress, from the first one. */
    start(isPairing) {
      for (const one of list.children) {
        one.hidden = !steps(isPairing).includes(one);
        mark(one, "next");
      }
      show("working");
    },

    /** Continues with a step; the steps before it are done. */
    go(name, isPairing) {
      const shown = steps(isPairing);
      const index = shown.findIndex((one) => one.dataset.step === name);
      shown.forEach((one, place) => mark(one, place < index ? "done" : place === index ? "now" : "next"));
      const step = shown[index];
      panel.querySelector("[data-bluetooth-hint]").hidden = name !== "choose";
      const words = step.querySelector("[data-words]").textContent;
      said.textContent = list.dataset.progress.replace("{n}", index + 1).replace("{count}", shown.length).replace("{step}", words);
    },

    /** Shows an error and what the reader can do. */
    fail(name, note, hasCode) {
      const words = panel.querySelector(`[data-problem="${name}"]`) ?? panel.querySelector('[data-problem="failed"]');
      alert.querySelector("[data-problem-title]").textContent = words.dataset.title;
      alert.querySelector("[data-problem-text]").textContent = note || words.dataset.text;
      said.textContent = "";
      for (const button of panel.querySelectorAll("[data-bluetooth-next]")) {
        const next = button.dataset.bluetoothNext;
        button.hidden = !words.dataset.next.split(" ").includes(next) || (next === "code" && !hasCode);
      }
      show("problem");
    },

    words,
    say(name) {
      said.textContent = words(name);
    },
  };
}
