// Sends a form and follows the response, as the browser itself would. Without a connection, the page stays, with its
// entries.
import { enhanceAll } from "./enhance.js";
import { passwords, retype } from "./retype.js";
import { keepPlace } from "./scroll.js";
import { text } from "./strings.js";
import { toast } from "./toast.js";
import { keep } from "./waiting.js";
/* global homewardQueue, htmx */

const PATIENCE_MILLISECONDS = 60_000;
const PATIENCE_WITH_FILES_MILLISECONDS = 600_000;

/** Whether the browser has to send it: to another site, or for another window. */
export function isForBrowser(form, submitter) {
  const target = submitter?.getAttribute("formtarget") ?? form.target;
  return (target && target !== "_self") || address(form, submitter).origin !== location.origin;
}

function address(form, submitter) {
  // A field may be called "action", and would hide the property.
  const wanted = submitter?.getAttribute("formaction") ?? form.getAttribute("action") ?? "";
  return new URL(wanted, document.baseURI);
}

function request(form, submitter) {
  const data = new FormData(form, submitter);
  const hasFiles = [...data.values()].some((value) => value instanceof File && value.size > 0);
  const isMultipart = form.enctype === "multipart/form-data";
  return {
    method: "POST",
    body: isMultipart ? data : new URLSearchParams(/** @type {any} */ (data)),
    // Requests the page as a browser would, but with the target of a redirect in a header, because scripts can't see it
    // otherwise.
    headers: { Accept: "text/html", "HX-Request": "true", "HX-Boosted": "true" },
    signal: AbortSignal.timeout?.(hasFiles ? PATIENCE_WITH_FILES_MILLISECONDS : PATIENCE_MILLISECONDS),
  };
}

function leaveFor(place) {
  const target = new URL(place, location.href);
  location.assign(target);
  // The browser doesn't reload for another fragment of the same page.
  if (target.hash && target.href.split("#")[0] === location.href.split("#")[0]) location.reload();
}

/** Replaces this page with the response's page. The URL stays, so that a reload sends nothing twice. */
function show(page, typed) {
  document.title = page.title;
  document.documentElement.dataset.app = page.documentElement.dataset.app;
  document.body.className = page.body.className;
  const parts = [".frame", "#after"].map((selector) => {
    const part = page.querySelector(selector);
    document.querySelector(selector).replaceWith(part);
    return part;
  });
  scrollTo({ top: 0, behavior: "instant" });
  document.getElementById("main").focus({ preventScroll: true });
  for (const part of parts) {
    retype(part, typed);
    htmx.process(part);
    enhanceAll(part);
  }
}

/** Resolves to "left" (another page is loading), "shown" (the response's page is shown), "refused" (the same, with
 * errors), "waiting" (queued until there is a connection), or "failed" (nothing changed, and a message was shown).
 * `beforeLeaving` gets the URL of the next page and is awaited. */
export async function send(form, submitter, beforeLeaving) {
  let answer, words;
  // Without a connection from the start, the request can't have arrived. Otherwise only the response may have been
  // lost.
  const wasOffline = !navigator.onLine;
  try {
    answer = await fetch(address(form, submitter), request(form, submitter));
    words = await answer.text();
    if (!homewardQueue.isFromServer(answer)) throw new TypeError("not a response of this server");
  } catch {
    if (await keep(form, submitter)) return "waiting";
    toast({ text: text(wasOffline ? "notSent" : "noAnswer"), problem: true });
    return "failed";
  }
  const place = answer.headers.get("HX-Redirect") ?? (answer.redirected ? answer.url : null);
  if (place) {
    await beforeLeaving(new URL(place, location.href));
    keepPlace(place, form);
    leaveFor(place);
    return "left";
  }
  const page = new DOMParser().parseFromString(words, "text/html");
  // A server error may be temporary: the form with its entries is more useful than an error page.
  if (answer.status >= 500 || !page.querySelector(".frame")) {
    toast({ text: page.querySelector("#error p")?.textContent ?? text("failed"), problem: true });
    return "failed";
  }
  show(page, passwords(form));
  return answer.ok ? "shown" : "refused";
}
