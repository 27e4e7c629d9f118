// The page with a child's sign-in code. It creates the code, counts its time down, and replaces a code that was used,
// expired or invalidated. A code that may be invalid is never shown.
import { toast } from "./toast.js";
import { enhanceAll } from "./enhance.js";
/* global htmx */

const PATIENCE_MILLISECONDS = 10_000;
const RETRY_MILLISECONDS = 5_000;
const TICK_MILLISECONDS = 1_000;
const SECONDS_PER_MINUTE = 60;

class CodePage {
  constructor(element) {
    this.element = element;
    this.words = element.dataset;
    this.place = element.querySelector("[data-place]");
    this.line = element.querySelector("[data-message]");
    this.again = element.querySelector("[data-again]");
    this.isMaking = false;
    this.isReplaced = false;
    this.place.tabIndex = -1;
    this.again.addEventListener("click", () => this.make());
    addEventListener("offline", () => this.lose());
    addEventListener("online", () => this.recover());
    addEventListener("pageshow", (event) => event.persisted && this.check());
    document.addEventListener("visibilitychange", () => document.hidden || this.check());
    document.addEventListener("hw:change", (event) => {
      const { kind, resource } = event.detail;
      if (resource === this.words.child && ["child", "session", "tablet"].includes(kind)) this.check();
    });
    // The live stream detects a lost connection that the browser doesn't report.
    new MutationObserver(() => this.check()).observe(document.documentElement, { attributeFilter: ["data-live"] });
    setInterval(() => this.tick(), TICK_MILLISECONDS);
    this.adopt();
    if (!this.code) this.make();
  }

  get card() {
    return this.place.querySelector("[data-code]");
  }

  adopt() {
    this.code = this.card?.dataset.code ?? null;
    // The phone's clock may be wrong, and may be changed; this timer only runs.
    this.endsAt = this.card ? performance.now() + Number(this.card.dataset.secondsLeft) * 1_000 : 0;
    this.tick();
  }

  say(words, isProblem = false) {
    this.line.textContent = words;
    this.line.hidden = words === "";
    this.line.classList.toggle("is-problem", isProblem);
  }

  /** Moves the focus before the focused element disappears, so that keyboard users keep their place. */
  keepFocus() {
    const active = document.activeElement;
    if (active === this.again || this.place.contains(active)) this.place.focus({ preventScroll: true });
  }

  clear() {
    this.code = null;
    this.keepFocus();
    this.place.replaceChildren();
  }

  lose() {
    this.clear();
    this.again.hidden = true;
    this.say(this.words.textOffline, true);
    clearTimeout(this.retry);
    this.retry = setTimeout(() => this.recover(), RETRY_MILLISECONDS);
  }

  /** After a lost connection; a code that another device shows isn't replaced. */
  recover() {
    if (!this.code && !this.isReplaced) this.make();
  }

  request(address, options = {}) {
    return fetch(address, { cache: "no-store", signal: AbortSignal.timeout?.(PATIENCE_MILLISECONDS), ...options });
  }

  async make(words = "") {
    if (this.isMaking) return;
    this.isMaking = true;
    clearTimeout(this.retry);
    this.isReplaced = false;
    try {
      const answer = await this.request(this.words.codes, {
        method: "POST",
        body: new URLSearchParams(),
        headers: { Accept: "text/html", "HX-Request": "true" },
      });
      if (answer.status === 404) return this.leave();
      if (answer.status === 401 || answer.status === 423) return location.reload();
      if (!answer.ok) return this.fail();
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      this.keepFocus();
      this.place.replaceChildren(...page.body.childNodes);
      htmx.process(this.place);
      enhanceAll(this.place);
      this.again.hidden = true;
      this.say(words);
      this.adopt();
    } catch {
      this.lose();
    } finally {
      this.isMaking = false;
    }
  }

  fail() {
    this.clear();
    this.say(this.words.textFailed, true);
    this.again.hidden = false;
  }

  leave() {
    this.clear();
    toast({ text: this.words.textGone, problem: true });
    location.replace("/family");
  }

  /** Checks the state of the shown code. */
  async check() {
    if (!this.code || this.isMaking) return this.recover();
    const asked = this.code;
    let answer, state;
    try {
      answer = await this.request(`${this.words.codes}/${asked}`, { headers: { Accept: "application/json" } });
      state = answer.ok ? (await answer.json()).state : null;
    } catch {
      return this.lose();
    }
    if (asked !== this.code || state === "open") return;
    if (state === "used" && this.words.done) return location.replace(this.words.done);
    if (answer.status === 401 || answer.status === 423) return location.reload();
    if (answer.status === 404) return this.make();
    // It is unknown whether the code was used: a code that may be stale isn't shown.
    if (!state) return this.lose();
    if (state === "replaced") {
      this.clear();
      this.isReplaced = true;
      this.again.hidden = false;
      return this.say(this.words.textReplaced, true);
    }
    // After the set-up of a family, the requests of the child appear on the dashboard.
    if (state === "used" && this.words.next) return location.replace(this.words.next);
    this.make(state === "used" ? this.words.textUsed : this.words.textRenewed);
  }

  tick() {
    if (!this.code) return;
    const seconds = Math.max(0, Math.ceil((this.endsAt - performance.now()) / 1_000));
    const rest = String(seconds % SECONDS_PER_MINUTE).padStart(2, "0");
    const left = this.place.querySelector("[data-left]");
    if (left) left.textContent = `${Math.floor(seconds / SECONDS_PER_MINUTE)}:${rest}`;
    if (seconds > 0) return;
    this.clear();
    this.make(this.words.textRenewed);
  }
}

export function attach(element) {
  new CodePage(element);
}
