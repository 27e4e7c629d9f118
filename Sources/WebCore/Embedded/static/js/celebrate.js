// Celebrates a reached level: at once when the page is visible, otherwise when it is next opened. Each level of each
// contract is celebrated once in this browser; a level that was lost and reached again counts as new.

const PIECES = 120;
const SHOWN_MILLISECONDS = 9_000;
const BURST_MILLISECONDS = 2_400;
const COLOURS = ["--confetti-1", "--confetti-2", "--confetti-3", "--confetti-4", "--confetti-5"];

/** The last level that was celebrated in this browser; null if it doesn't know. */
function celebrated(key) {
  try {
    const level = localStorage.getItem(key);
    return level === null ? null : Number(level);
  } catch {
    return Infinity;
  }
}

function remember(key, level) {
  try {
    localStorage.setItem(key, String(level));
  } catch {
    // Without storage there is no celebration, because it would repeat.
  }
}

function confetti() {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const canvas = document.createElement("canvas");
  canvas.className = "confetti";
  canvas.setAttribute("aria-hidden", "true");
  document.body.append(canvas);
  const scale = Math.min(2, devicePixelRatio || 1);
  canvas.width = innerWidth * scale;
  canvas.height = innerHeight * scale;
  const context = canvas.getContext("2d");
  const style = getComputedStyle(document.documentElement);
  const colours = COLOURS.map((name) => style.getPropertyValue(name).trim());
  const random = (least, most) => least + Math.random() * (most - least);
  const pieces = Array.from({ length: PIECES }, (_, index) => ({
    x: canvas.width / 2 + random(-40, 40) * scale,
    y: canvas.height * 0.42,
    dx: random(-0.55, 0.55) * scale,
    dy: random(-1.05, -0.25) * scale,
    size: random(6, 12) * scale,
    turn: random(0, 6.3),
    spin: random(-0.012, 0.012),
    isRound: index % 3 === 0,
    colour: colours[index % colours.length],
  }));
  let before = performance.now();
  const began = before;
  const draw = (now) => {
    const step = Math.min(40, now - before);
    before = now;
    const share = (now - began) / BURST_MILLISECONDS;
    if (share >= 1) return canvas.remove();
    context.clearRect(0, 0, canvas.width, canvas.height);
    context.globalAlpha = Math.min(1, 2.5 * (1 - share));
    for (const piece of pieces) {
      piece.dy += 0.0014 * scale * step;
      piece.dx *= 0.995;
      piece.x += piece.dx * step;
      piece.y += piece.dy * step;
      piece.turn += piece.spin * step;
      context.save();
      context.translate(piece.x, piece.y);
      context.rotate(piece.turn);
      context.fillStyle = piece.colour;
      if (piece.isRound) {
        context.beginPath();
        context.arc(0, 0, piece.size / 2, 0, 7);
        context.fill();
      } else {
        context.fillRect(-piece.size / 2, -piece.size / 4, piece.size, piece.size / 2);
      }
      context.restore();
    }
    requestAnimationFrame(draw);
  };
  requestAnimationFrame(draw);
}

let closeShown = () => {};

function card(headline, rewards, ok) {
  closeShown();
  const element = document.createElement("div");
  element.className = "celebration";
  element.setAttribute("role", "status");
  const star = document.createElement("span");
  star.className = "celebration-star";
  star.setAttribute("aria-hidden", "true");
  const title = document.createElement("p");
  title.className = "celebration-title";
  title.textContent = headline;
  const texts = rewards.map((reward) => {
    const text = document.createElement("p");
    text.className = "celebration-reward";
    text.textContent = reward;
    return text;
  });
  const button = document.createElement("button");
  button.type = "button";
  button.className = "button button-primary";
  button.textContent = ok;
  const before = /** @type {HTMLElement} */ (document.activeElement);
  const close = () => {
    const hadFocus = element.contains(document.activeElement);
    element.remove();
    if (!hadFocus) return;
    const place = before?.isConnected && before !== document.body ? before : document.getElementById("main");
    place?.focus({ preventScroll: true });
  };
  closeShown = close;
  button.addEventListener("click", close);
  element.addEventListener("keydown", (event) => event.key === "Escape" && close());
  element.append(star, title, ...texts, button);
  document.body.append(element);
  // It covers the page: without the focus, keyboard users would continue unseen under it.
  button.focus({ preventScroll: true });
  setTimeout(close, SHOWN_MILLISECONDS);
}

function look(element) {
  const { celebrate: contract, celebrateLevel, celebrateText, celebrateRewards, celebrateOk } = element.dataset;
  const level = Number(celebrateLevel);
  if (!contract || !Number.isFinite(level)) return;
  const key = `celebrated-${document.body.dataset.person}-${contract}`;
  const known = celebrated(key);
  const before = known ?? 0;
  if (level !== known) remember(key, level);
  if (level <= before || !celebrateText) return;
  const [headline, reward] = celebrateText.split("\n");
  // Each level that was reached since the last celebration has its reward. A new browser knows only the last one.
  const rewards = celebrateRewards?.split("\n").slice(known === null ? -1 : before, level) ?? [reward ?? ""];
  card(headline, rewards, celebrateOk);
  confetti();
}

export function attach(element) {
  look(element);
  new MutationObserver(() => look(element)).observe(element, {
    attributeFilter: ["data-celebrate", "data-celebrate-level", "data-celebrate-text"],
  });
}
