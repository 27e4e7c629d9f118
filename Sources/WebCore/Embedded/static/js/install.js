// Installing the app: the browser's prompt is stored until the reader asks for it. Without one, a text explains how.
let question = null;
const offers = new Set();

function isApple() {
  return /iPhone|iPad|iPod/.test(navigator.userAgent) || (navigator.platform === "MacIntel" && navigator.maxTouchPoints > 1);
}

function isInstalled() {
  return matchMedia("(display-mode: standalone)").matches || navigator.standalone === true;
}

function show(offer) {
  const isByHand = !question && isApple() && navigator.standalone === false;
  offer.hidden = isInstalled() || (!question && !isByHand);
  offer.querySelector("[data-install-button]").hidden = !question;
  offer.querySelector("[data-install-by-hand]").hidden = !isByHand;
}

const showAll = () => offers.forEach(show);

addEventListener("beforeinstallprompt", (event) => {
  event.preventDefault();
  question = event;
  showAll();
});
addEventListener("appinstalled", () => {
  question = null;
  offers.forEach((offer) => (offer.hidden = true));
});

export function attach(offer) {
  question ??= window.homewardInstallQuestion ?? null;
  offers.add(offer);
  show(offer);
  offer.querySelector("button").addEventListener("click", async () => {
    if (!question) return;
    await question.prompt();
    // It can be shown once; the browser fires a new one when it may be shown again.
    question = null;
    window.homewardInstallQuestion = null;
    showAll();
  });
}
