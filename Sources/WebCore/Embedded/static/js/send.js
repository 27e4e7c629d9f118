// Sends a form and goes where the answer leads, as the browser itself would; but where there is no connection, the page
// stays, and with it what was typed.
import { enhanceAll } from "./enhance.js";
import { passwords, retype } from "./retype.js";
import { keepPlace } from "./scroll.js";
import { text } from "./strings.js";
import { toast } from "./toast.js";
import { keep } from "./waiting.js";
/* global htmx */

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
    body: isMultipart ? data : new URLSearchParams(data),
    // The page as the browser would get it, but the place of a redirect in a header, as scripts can't see it otherwise.
    headers: { Accept: "text/html", "HX-Request": "true", "HX-Boosted": "true" },
    signal: AbortSignal.timeout?.(hasFiles ? PATIENCE_WITH_FILES_MILLISECONDS : PATIENCE_MILLISECONDS),
  };
}

function leaveFor(place) {
  const target = new URL(place, location.href);
  location.assign(target);
  // Another place on the same page is no reason for the browser to load it.
  if (target.hash && target.href.split("#")[0] === location.href.split("#")[0]) location.reload();
}

/** Puts the answer's page in the place of this one. The address stays: nothing is to be sent twice by a reload. */
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

/**
 * Resolves to "left" (another page is on its way), "shown" (the answer's page is here), "refused" (the same, to be
 * corrected), "waiting" (kept for when there is a connection), or "failed" (nothing changed, and the reader was told why).
 * `beforeLeaving` gets where that page is, and is waited for.
 */
export async function send(form, submitter, beforeLeaving) {
  let answer, words;
  // Without a connection from the beginning, nothing can have arrived. Else only the answer may have been lost.
  const wasOffline = !navigator.onLine;
  try {
    answer = await fetch(address(form, submitter), request(form, submitter));
    words = await answer.text();
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
  // What the server could not do may go better in a moment: better than a page of its own is the form with its words.
  if (answer.status >= 500 || !page.querySelector(".frame")) {
    toast({ text: page.querySelector("#error p")?.textContent ?? text("failed"), problem: true });
    return "failed";
  }
  show(page, passwords(form));
  return answer.ok ? "shown" : "refused";
}
