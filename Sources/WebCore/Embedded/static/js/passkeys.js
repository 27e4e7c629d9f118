// Passkeys: gets a challenge from the server, calls the authenticator, and sends its response. A form with
// `data-passkey` says what for; a button of that form starts it.
import { text } from "./strings.js";

const SERVER_MILLISECONDS = 10_000;
const PERSON_MILLISECONDS = 120_000;
// A challenge is valid for five minutes; the pending one of the email field is renewed before.
const WAITING_MILLISECONDS = 240_000;
const AUTOMATIC = "homeward-touch-id";

let waiting = null;
// A response from the email field's suggestions was sent. If it was rejected, another suggestion would be rejected,
// too.
let wasSuggested = false;

function bytes(base64) {
  return Uint8Array.from(atob(base64.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
}

function base64(buffer) {
  const letters = Array.from(new Uint8Array(buffer), (byte) => String.fromCharCode(byte)).join("");
  return btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** Converts the server's JSON for the browser's API; parse…OptionsFromJSON is missing in too many browsers. */
function readable(options) {
  const listed = ({ id, transports, ...rest }) => ({ ...rest, id: bytes(id), ...(transports.length && { transports }) });
  return {
    ...options,
    challenge: bytes(options.challenge),
    ...(options.user && { user: { ...options.user, id: bytes(options.user.id) } }),
    ...(options.excludeCredentials && { excludeCredentials: options.excludeCredentials.map(listed) }),
    ...(options.allowCredentials && { allowCredentials: options.allowCredentials.map(listed) }),
  };
}

/** The name and value of each part, named as in `credential.toJSON()`. */
function parts(credential) {
  const { response, rawId } = credential;
  const found = ["clientDataJSON", "attestationObject", "authenticatorData", "signature", "userHandle"]
    .filter((name) => response[name] instanceof ArrayBuffer)
    .map((name) => [`response.${name}`, base64(response[name])]);
  const transports = (response.getTransports?.() ?? []).map((transport) => ["response.transports", transport]);
  return [["rawId", base64(rawId)], ...found, ...transports];
}

/** The last result of an automatic request on this device: a device that never had a passkey isn't asked again. */
function automatic(value) {
  try {
    if (value) localStorage.setItem(AUTOMATIC, value);
    return localStorage.getItem(AUTOMATIC);
  } catch {
    return null;
  }
}

/** Authenticators only respond to a visible page. */
function visible() {
  if (!document.hidden) return Promise.resolve();
  return new Promise((resolve) => document.addEventListener("visibilitychange", resolve, { once: true }));
}

class Refusal extends Error {}

class Passkey {
  constructor(form) {
    this.form = form;
    this.kind = form.dataset.passkey;
    this.button = [...form.elements].find((element) => element.hasAttribute("data-passkey-start"));
    this.message = document.getElementById(`${form.id}-message`);
    // Proves the presence of the account's owner. It is sent with the request for the challenge only.
    this.password = /** @type {HTMLInputElement} */ (document.getElementById(`${form.id}-password`));
    this.password?.addEventListener("keydown", (event) => {
      if (event.key !== "Enter") return;
      event.preventDefault();
      this.start();
    });
    if (!window.PublicKeyCredential || !navigator.credentials) {
      this.button.disabled = true;
      this.say(form.dataset.textUnsupported);
      return;
    }
    this.button.addEventListener("click", () => this.start());
    if (form.hasAttribute("data-automatic") && automatic() !== "no") visible().then(() => this.start(true));
    if (this.kind === "sign-in") this.wait();
  }

  say(words) {
    this.message.textContent = words;
  }

  async options() {
    const { challenge } = this.form.dataset;
    const body = { purpose: this.kind, touchId: this.form.hasAttribute("data-for-lock") };
    if (this.password?.value) body.password = this.password.value;
    const answer = await fetch(challenge, this.request(body));
    return readable(await this.content(answer));
  }

  request(body) {
    return {
      method: "POST",
      body: JSON.stringify(body),
      headers: { Accept: "application/json", "Content-Type": "application/json" },
      signal: AbortSignal.timeout?.(SERVER_MILLISECONDS),
    };
  }

  async content(answer) {
    const content = answer.status === 204 ? null : await answer.json();
    if (answer.ok) return content;
    // If the session has ended or is locked, the reloaded page shows that.
    if ((answer.status === 401 && this.kind !== "sign-in") || answer.status === 423) location.reload();
    throw new Refusal(content.error.message);
  }

  /** @param isUntouched whether the page started it, not the reader. */
  async start(isUntouched = false) {
    if (this.isBusy) return;
    waiting?.abort();
    this.isBusy = true;
    this.button.setAttribute("aria-busy", "true");
    this.say("");
    const isMaking = this.kind === "register";
    const giveUp = new AbortController();
    const patience = setTimeout(() => giveUp.abort(), PERSON_MILLISECONDS);
    try {
      if (this.form.hasAttribute("data-for-lock") && !(await this.canVerify())) {
        throw new Refusal(this.form.dataset.textNoVerifier);
      }
      const request = { publicKey: await this.options(), signal: giveUp.signal };
      await this.finish(await (isMaking ? navigator.credentials.create(request) : navigator.credentials.get(request)));
    } catch (error) {
      if (isUntouched && automatic() !== "yes" && error.name === "NotAllowedError") automatic("no");
      this.fail(error);
      if (this.kind === "sign-in") queueMicrotask(() => this.wait());
    } finally {
      clearTimeout(patience);
      this.isBusy = false;
      this.button.removeAttribute("aria-busy");
    }
  }

  canVerify() {
    return PublicKeyCredential.isUserVerifyingPlatformAuthenticatorAvailable?.() ?? true;
  }

  fail(error) {
    const words = this.form.dataset;
    if (error instanceof Refusal) {
      this.say(error.message);
      this.password?.focus();
    }
    else if (error.name === "InvalidStateError") this.useKnown();
    else if (error.name === "SecurityError" || error.name === "NotSupportedError") this.say(words.textUnsupported);
    else if (error instanceof TypeError || error.name === "TimeoutError") this.say(text("notSent"));
    else this.say(words.textFailed);
    if (this.kind === "unlock") document.querySelector("input[name=passcode]")?.focus();
  }

  /** This device already has a passkey. That is enough to open the lock. */
  useKnown() {
    const form = /** @type {HTMLFormElement} */ (document.getElementById("touch-id-on"));
    if (form) form.requestSubmit();
    else this.say(this.form.dataset.textTaken);
  }

  async finish(credential) {
    const answer = parts(credential);
    if (this.kind !== "unlock") return this.send(answer);
    // Only the error message is used: the lock screen stays, with the entered values.
    const response = Object.fromEntries(answer.filter(([name]) => name.startsWith("response."))
      .map(([name, value]) => [name.slice("response.".length), value]));
    await this.content(await fetch(this.form.action, this.request({ rawId: answer[0][1], response })));
    automatic("yes");
    this.form.dispatchEvent(new CustomEvent("hw:leaving", { bubbles: true }));
    location.replace(this.form.elements.namedItem("return").value || "/");
  }

  send(answer) {
    if (this.kind === "register" && this.form.hasAttribute("data-for-lock")) automatic("yes");
    this.form.querySelectorAll("[data-answer]").forEach((field) => field.remove());
    for (const [name, value] of answer) {
      const field = Object.assign(document.createElement("input"), { type: "hidden", name, value });
      field.setAttribute("data-answer", "");
      this.form.append(field);
    }
    this.form.requestSubmit();
  }

  /** Offers passkeys in the browser's suggestions for the email, if it supports that. */
  async wait() {
    if (!(await PublicKeyCredential.isConditionalMediationAvailable?.())) return;
    while (this.form.isConnected && !this.isBusy && !wasSuggested) {
      await visible();
      const turn = new AbortController();
      waiting = turn;
      const end = setTimeout(() => turn.abort("again"), WAITING_MILLISECONDS);
      try {
        const publicKey = await this.options();
        if (turn.signal.aborted) return;
        const credential = await navigator.credentials.get({ publicKey, mediation: "conditional", signal: turn.signal });
        wasSuggested = true;
        return this.send(parts(credential));
      } catch {
        // The button was pressed, or it isn't available: the reader didn't ask for it, so there is no message.
        if (turn.signal.reason !== "again") return;
      } finally {
        clearTimeout(end);
      }
    }
  }
}

export function attach(form) {
  new Passkey(form);
}
