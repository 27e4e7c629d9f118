// Bluetooth on an item's page: pairs a tracker, or keeps the link to the paired one, which carries positions and
// commands while the page is open.
import { base64, bytesOfBase64 } from "./bluetooth-frames.js";
import { allowed, choose, connect, inTime, isSupported, problem } from "./bluetooth-link.js";
import { relay } from "./bluetooth-relay.js";
import { viewOf } from "./bluetooth-view.js";
import { toastNext } from "./toast.js";

const ANSWER_MILLISECONDS = 20_000;
const REQUEST_MILLISECONDS = 20_000;
const ACTIVE_MILLISECONDS = 30_000;
const AGAIN_MILLISECONDS = 15_000;
// The maximum time for a tracker to become free: while the reader waits for it, and while they leave the page.
const RELEASE_MILLISECONDS = 40_000;
const PARTING_MILLISECONDS = 10_000;
const NUDGE_MILLISECONDS = 200;
const MEMORY = "bluetooth:";

// The tracker's reasons for a rejection (docs/tracker-protocol.md); also the names of the messages on the page.
const REFUSALS = ["malformed", "signature", "replayed", "expired", "foreign", "bound"];
// After these errors the same device can be tried again; after all others the reader chooses again.
const WITH_SAME_DEVICE = ["range", "lost", "silent", "server", "locked", "signedOut", "replayed", "expired"];

export function attach(panel) {
  new Panel(panel);
}

class Panel {
  constructor(panel) {
    this.panel = panel;
    this.view = viewOf(panel);
    this.item = panel.dataset.bluetooth;
    this.tracker = panel.dataset.tracker;
    this.device = null;
    this.link = null;
    /** The tracker's signed response, until the server has accepted it. */
    this.receipt = null;
    this.stopping = new AbortController();
    /** The promise of the tracker's response to the register request. */
    this.waiting = null;
    /** The tracker's message to its server from before the server knew its owner. */
    this.held = null;
    /** The id of a tracker that gets its release, and the promise of its confirmation. */
    this.freeing = null;
    this.freed = null;
    /** The key of the tracker that the link is connected to. */
    this.publicKey = null;
    /** The promise of the release after the tracker was unpaired. */
    this.parting = null;
    if (!isSupported()) {
      this.view.show(this.tracker ? "none" : "unsupported");
      return;
    }
    panel.addEventListener("click", (event) => {
      const button = event.target.closest("button");
      if (button?.matches("[data-bluetooth-start], [data-bluetooth-next=again]")) this.start();
      if (button?.matches("[data-bluetooth-next=code]")) document.getElementById("code")?.focus();
      if (button?.matches("[data-bluetooth-stop]")) this.stop();
    });
    document.addEventListener("hw:change", ({ detail }) => this.hear(detail));
    document.addEventListener("hw:leaving", ({ detail }) => {
      if (detail?.element.matches("[data-lets-go], [data-live-gone]")) detail.waitFor(this.letGo());
    });
    document.addEventListener("visibilitychange", () => this.view.state() === "linked" && this.check());
    addEventListener("pagehide", () => this.link?.close());
    this.rest();
    if (panel.querySelector("[data-pressed]")) this.start();
    else if (this.tracker) this.meetAgain();
  }

  async start() {
    clearTimeout(this.timer);
    this.stopping.abort();
    this.stopping = new AbortController();
    const { signal } = this.stopping;
    this.isPairing = !this.tracker;
    try {
      this.view.start(this.isPairing);
      if (this.isPairing) await this.pair();
      else await this.join();
    } catch (error) {
      if (!signal.aborted) this.end(error);
    }
  }

  /** Ends all pending work. Every pairing that the tracker has confirmed is known to the server. */
  stop() {
    clearTimeout(this.timer);
    this.stopping.abort();
    this.receipt = null;
    this.leave();
    // The reader may have cancelled because the chosen device was the wrong one.
    if (!this.tracker) this.device = null;
    forget(this.tracker);
    this.view.say("stopped");
    this.rest();
  }

  rest() {
    this.view.show(this.tracker ? "ready" : "idle");
  }

  leave() {
    this.link?.close();
    this.link = null;
    this.held = null;
    for (const waiting of [this.waiting, this.freed]) waiting?.reject(problem("lost"));
    this.waiting = null;
  }

  end(error) {
    // The page has no entries that a reload would lose, and connects again afterwards.
    if (error.problem === "stuck") return location.reload();
    if (!error.problem) console.error(error);
    const name = error.problem ?? "failed";
    // A tracker that has responded waits for its server; without the link it would use another transport.
    if (!this.receipt) this.leave();
    if (!WITH_SAME_DEVICE.includes(name)) this.device = null;
    // A tracker that was just paired continues alone.
    this.view.fail(this.tracker && name === "lost" ? "apart" : name, error.note, !this.tracker);
  }

  step(name) {
    if (this.stopping.signal.aborted) throw problem("stopped");
    this.view.go(name, this.isPairing);
  }

  // Pairing

  async pair() {
    if (!this.receipt) await this.bind();
    this.step("bind");
    await this.hand(this.receipt);
    this.step("activate");
    await this.activate();
    remember(this.tracker, this.device);
    this.view.say(this.isActive ? "paired" : "waits");
    this.view.show(this.link?.isOpen() ? "linked" : "apart");
    if (!this.link?.isOpen()) this.comeBack(0);
  }

  async bind() {
    const link = await this.meet();
    let identity = await link.identity();
    // The tracker knows that it was released, and only has to confirm it.
    if (identity.state === "releasing") identity = await this.free(link, identity, { tracker: identity.id });
    let answer = await this.requestFor(identity);
    if (answer.release) {
      identity = await this.free(link, identity, answer);
      answer = await this.requestFor(identity);
    }
    if (!answer.request) throw problem("releasing");
    this.publicKey = identity.publicKey;
    const pairing = await this.introduce(link, answer);
    this.receipt = { pairing: base64(pairing), key: crypto.randomUUID() };
  }

  requestFor({ publicKey, codeHash, challenge }) {
    return this.ask("POST", "/registration", { publicKey, codeHash, challenge });
  }

  /** Sends a tracker its release, and the tracker's confirmation to the server. Afterwards the tracker is unpaired. */
  async free(link, { publicKey }, { tracker, release = null }, milliseconds = RELEASE_MILLISECONDS) {
    this.freeing = tracker;
    const freed = new Promise((resolve, reject) => (this.freed = { resolve, reject }));
    freed.catch(() => {});
    try {
      if (release) await link.send("K", bytesOfBase64(release));
      else await link.send("N");
      await inTime(milliseconds, "releasing", freed, this.stopping.signal).catch((error) => {
        if (error.problem !== "releasing") throw error;
      });
      // It notifies when it is free. The identity is read in any case.
      const identity = await link.identity();
      if (identity.publicKey === publicKey) throw problem("releasing");
      return identity;
    } finally {
      this.freeing = null;
      this.freed = null;
    }
  }

  /** Sends the tracker the server's register request. Its response is signed, and pairs it if it had no owner. */
  async introduce(link, { request }) {
    if (this.isPairing) this.step("bind");
    const answered = this.next();
    answered.catch(() => {});
    await link.send("R", bytesOfBase64(request));
    return inTime(ANSWER_MILLISECONDS, "silent", answered, this.stopping.signal);
  }

  /** Sends the server the tracker's pairing. From then on the tracker has an owner. */
  async hand({ pairing, key }) {
    let tracker;
    try {
      tracker = await this.ask("PUT", "/tracker", { pairing }, key);
    } catch (error) {
      // The server would reject it again.
      if (!WITH_SAME_DEVICE.includes(error.problem)) this.receipt = null;
      throw error;
    }
    this.receipt = null;
    this.tracker = tracker.id;
    this.isActive = tracker.state === "active";
    if (this.held) this.carry(this.held);
    this.held = null;
  }

  /** Sends the server's first command over the link at once; the tracker would also get it by its own transport. */
  async activate() {
    if (!this.link?.isOpen()) return;
    const active = new Promise((resolve) => (this.tellActive = resolve));
    await inTime(ACTIVE_MILLISECONDS, "waits", this.isActive ? Promise.resolve() : active, this.stopping.signal).catch((error) => {
      if (error.problem === "stopped") throw error;
    });
  }

  async look() {
    if (this.isActive || !this.tellActive) return;
    const tracker = await this.ask("GET", "/tracker").catch(() => null);
    if (tracker?.state !== "active") return;
    this.isActive = true;
    this.tellActive();
  }

  // The link

  /** Lets the reader choose a device if there is none, and connects to it. */
  async meet() {
    this.step("choose");
    this.device ??= await inTime(2 ** 31 - 1, "cancelled", choose(), this.stopping.signal);
    this.step("connect");
    const link = await this.connect();
    this.step("register");
    return link;
  }

  async connect() {
    if (this.link?.isOpen()) return this.link;
    this.link = await connect(this.device, this.stopping.signal, {
      receive: (message) => this.receive(message), lost: () => this.lost(),
    });
    return this.link;
  }

  async join() {
    const link = await this.meet();
    await this.keep(link);
  }

  /** Keeps the link open and relays messages. */
  async keep(link) {
    const identity = await link.identity();
    if (identity.id !== this.tracker) throw problem("other");
    this.publicKey = identity.publicKey;
    await this.introduce(link, await this.requestFor(identity));
    remember(this.tracker, this.device);
    this.view.say("linked");
    this.view.show("linked");
  }

  /** Reconnects without a dialog if the browser still permits a previous device. */
  async meetAgain() {
    const id = remembered(this.tracker);
    const device = id && (await allowed()).find((one) => one.id === id);
    if (!device || this.view.state() !== "ready") return;
    this.device = device;
    this.comeBack(0);
  }

  receive({ kind, content }) {
    if (kind === "U") return this.carry(content);
    if (kind === "F") return this.freed?.resolve();
    const waiting = this.waiting;
    if (!waiting) return;
    this.waiting = null;
    const reason = new TextDecoder().decode(content);
    if (kind === "A") waiting.resolve(content);
    else if (kind === "E") waiting.reject(problem(REFUSALS.includes(reason) ? reason : "refused"));
  }

  /** The promise of the tracker's response to the register request. */
  next() {
    return new Promise((resolve, reject) => (this.waiting = { resolve, reject }));
  }

  async carry(content) {
    // During pairing, the server would tell the tracker that it has no owner, and the tracker would believe it.
    const tracker = this.freeing ?? this.tracker;
    if (!tracker) {
      this.held = content;
      return;
    }
    const answer = await relay(tracker, content);
    if (answer && this.link?.isOpen()) await this.link.send("D", answer).catch(() => {});
    this.look();
  }

  lost() {
    this.leave();
    this.tellActive?.();
    // Pending work notices the lost link when it needs it.
    if (this.view.state() !== "linked") return;
    this.view.say("apart");
    this.view.show("apart");
    this.comeBack();
  }

  /** Tries to restore the link while the page is visible. */
  comeBack(milliseconds = AGAIN_MILLISECONDS) {
    clearTimeout(this.timer);
    this.stopping.abort();
    this.stopping = new AbortController();
    const { signal } = this.stopping;
    this.timer = setTimeout(async () => {
      if (signal.aborted || !this.panel.isConnected || !this.device) return;
      if (document.hidden) return this.comeBack();
      try {
        await this.keep(await this.connect());
      } catch {
        this.leave();
        if (!signal.aborted && this.view.state() !== "working") this.comeBack();
      }
    }, milliseconds);
  }

  // The server

  async ask(method, path, body, key) {
    const headers = { Accept: "application/json" };
    if (body) Object.assign(headers, { "Content-Type": "application/json", "Idempotency-Key": key ?? crypto.randomUUID() });
    const asked = fetch(this.item + path, { method, headers, body: body && JSON.stringify(body) });
    const answer = await inTime(REQUEST_MILLISECONDS, "server", asked, this.stopping.signal).catch((error) => {
      throw error.problem ? error : problem("server");
    });
    if (answer.ok) return answer.json();
    const told = await answer.json().catch(() => null);
    if (answer.status === 401) throw problem("signedOut");
    if (answer.status === 423) throw problem("locked");
    if (answer.status >= 500 || !told) throw problem("server");
    const { status } = answer;
    throw Object.assign(problem(status === 409 ? "taken" : "declined", told.error?.message), { status });
  }

  /** After a change of the item, makes the tracker fetch a pending command at once. */
  hear({ kind, resource }) {
    if (resource !== this.item) return;
    if (kind === "command") this.nudge();
    if (kind === "command" || kind === "item") this.look();
    if (kind === "item") this.check();
  }

  /** Sends the release to a tracker that was unpaired elsewhere, and stops relaying for it. */
  async check() {
    if (!this.panel.isConnected) return this.leave();
    // A hidden page sends no requests, because they would postpone the lock.
    if (!this.tracker || document.hidden) return;
    // The response to a form of this page navigates by itself, and so does a live part whose item is gone.
    const isLedOn = document.querySelector("[data-lets-go][data-sending]") !== null;
    const isFollowing = document.querySelector("[data-live-gone]") !== null;
    const item = await this.ask("GET", "").catch(({ status }) => (status === 404 ? { isGone: true } : null));
    if (!item || item.tracker?.id === this.tracker) return;
    await this.letGo();
    if (isLedOn || (item.isGone && isFollowing)) return;
    if ("parting" in this.panel.dataset) this.view.show("none");
    else location.reload();
  }

  /** Sends the release to an unpaired tracker over the open link, and the tracker's confirmation to the server. */
  letGo() {
    return (this.parting ??= this.part());
  }

  async part() {
    if (this.view.state() !== "linked" || !this.link?.isOpen()) return;
    forget(this.tracker);
    this.view.say("parting");
    this.view.show("parting");
    // The page may be left before the tracker has responded.
    toastNext({ text: this.view.words("unheard"), problem: true });
    try {
      await this.free(this.link, this, { tracker: this.tracker }, PARTING_MILLISECONDS);
      toastNext({ text: this.view.words("freed") });
    } catch (error) {
      if (!error.problem) console.error(error);
    }
    this.leave();
  }

  nudge() {
    if (this.nudging || !this.tracker) return;
    this.nudging = setTimeout(() => {
      this.nudging = 0;
      if (this.link?.isOpen()) this.link.send("N").catch(() => {});
    }, NUDGE_MILLISECONDS);
  }
}

function remember(tracker, device) {
  try {
    if (device) localStorage.setItem(MEMORY + tracker, device.id);
  } catch {
    // Without storage, the reader is asked next time.
  }
}

function remembered(tracker) {
  try {
    return localStorage.getItem(MEMORY + tracker);
  } catch {
    return null;
  }
}

function forget(tracker) {
  try {
    localStorage.removeItem(MEMORY + tracker);
  } catch {
    // There is nothing stored.
  }
}
