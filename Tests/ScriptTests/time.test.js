// Dates and times in the reader's language and time zone.
import assert from "node:assert/strict";
import { endOf } from "../../Sources/WebCore/Embedded/static/js/day-end.js";

// The modules look for elements when they are loaded. This page has none.
globalThis.document = {
  documentElement: { lang: "en" }, body: {}, addEventListener() {}, getElementById: () => null,
  querySelectorAll: () => [],
};
globalThis.MutationObserver = class {
  observe() {}
};
const { age, exact, relative } = await import("../../Sources/WebCore/Embedded/static/js/time.js");
const { localeFor } = await import("../../Sources/WebCore/Embedded/static/js/strings.js");

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const SUNDAY = new Date("2026-11-22T05:02:07Z");

function inTimeZone(name, run) {
  const before = Deno.env.get("TZ");
  Deno.env.set("TZ", name);
  try {
    run();
  } finally {
    if (before === undefined) Deno.env.delete("TZ");
    else Deno.env.set("TZ", before);
  }
}

// Versions of Unicode's data differ in which space they use.
const spaced = (words) => words.replace(/[\u00a0\u202f]/g, " ");
const shown = (...options) => spaced(exact(...options));

Deno.test("Times are in the reader's time zone and written as in the language", () => {
  inTimeZone("Asia/Tokyo", () => {
    assert.equal(shown(SUNDAY, "en-GB", ""), "Sun 22 Nov, 14:02");
    assert.equal(shown(SUNDAY, "en-US", ""), "Sun, Nov 22, 2:02 PM");
    assert.equal(shown(SUNDAY, "de", ""), "So., 22. Nov., 14:02");
    assert.equal(shown(SUNDAY, "es", ""), "dom, 22 nov, 14:02");
    assert.equal(shown(SUNDAY, "fr", ""), "dim. 22 nov., 14:02");
  });
  inTimeZone("America/New_York", () => assert.equal(shown(SUNDAY, "en-GB", ""), "Sun 22 Nov, 00:02"));
  inTimeZone("America/Los_Angeles", () => assert.equal(shown(SUNDAY, "en-GB", ""), "Sat 21 Nov, 21:02"));
});

Deno.test("Each style writes its parts of a time", () => {
  inTimeZone("Europe/Berlin", () => {
    assert.equal(shown(SUNDAY, "en-GB", "time"), "06:02");
    assert.equal(shown(SUNDAY, "en-US", "time"), "6:02 AM");
    assert.equal(shown(SUNDAY, "en-GB", "day"), "Sun 22 Nov");
    assert.equal(shown(SUNDAY, "en-GB", "date"), "22 November 2026");
    assert.match(shown(SUNDAY, "en-GB", "full"), /^Sunday,? 22 November 2026 at 06:02:07$/);
  });
});

Deno.test("A short time omits today's day and this year's number", () => {
  inTimeZone("Europe/Berlin", () => {
    const short = (now, style = "short") => shown(SUNDAY, "en-GB", style, new Date(now));
    assert.equal(short("2026-11-22T22:59:59Z"), "06:02");
    assert.equal(short("2026-11-22T23:00:00Z"), "Sun 22 Nov, 06:02");
    assert.equal(short("2027-01-01T00:00:00Z"), "22 Nov 2026, 06:02");
    assert.equal(short("2026-11-22T12:00:00Z", "seconds"), "06:02:07");
    assert.equal(short("2026-11-23T12:00:00Z", "seconds"), "Sun 22 Nov, 06:02:07");
  });
});

Deno.test("Ages have the largest unit that fits", () => {
  const ages = [
    [-1, 0, "second"], [MINUTE - 1, 0, "second"], [MINUTE, 1, "minute"], [HOUR - 1, 59, "minute"], [HOUR, 1, "hour"],
    [DAY - 1, 23, "hour"], [DAY, 1, "day"], [400 * DAY, 400, "day"],
  ];
  for (const [milliseconds, value, unit] of ages) assert.deepEqual(age(milliseconds), { value, unit });
});

Deno.test("Ages are written as by the server", () => {
  const written = (milliseconds, locale) => relative(milliseconds, locale, "now");
  assert.equal(written(MINUTE - 1, "en"), "now");
  assert.equal(written(4 * MINUTE, "en"), "4\u00a0min ago");
  assert.equal(written(2 * HOUR, "en-GB"), "2\u00a0hr ago");
  assert.equal(written(2 * DAY, "en"), "2\u00a0days ago");
  assert.equal(spaced(written(4 * MINUTE, "de")), "vor 4 Min.");
  assert.equal(spaced(written(2 * DAY, "fr")), "il y a 2 jours");
  assert.equal(spaced(written(2 * DAY, "es")), "hace 2 días");
});

Deno.test("A chosen day ends in the reader's time zone, and is shown as that day", () => {
  const ends = {
    "America/New_York": "2031-11-26T05:00:00.000Z", UTC: "2031-11-26T00:00:00.000Z",
    "Asia/Kolkata": "2031-11-25T18:30:00.000Z", "Pacific/Auckland": "2031-11-25T11:00:00.000Z",
  };
  for (const [zone, end] of Object.entries(ends)) {
    inTimeZone(zone, () => {
      assert.equal(endOf("2031-11-25"), end);
      assert.equal(shown(new Date(end), "en-GB", "until"), "Tue 25 Nov");
      assert.equal(shown(new Date(end), "en-GB", "until-day"), "Tue 25 Nov");
    });
  }
});

Deno.test("A day ends at midnight also when clocks change, and at the end of a month or year", () => {
  inTimeZone("Europe/Berlin", () => {
    assert.equal(endOf("2026-03-28"), "2026-03-28T23:00:00.000Z");
    assert.equal(endOf("2026-03-29"), "2026-03-29T22:00:00.000Z");
    assert.equal(endOf("2026-10-25"), "2026-10-25T23:00:00.000Z");
    assert.equal(endOf("2028-02-29"), "2028-02-29T23:00:00.000Z");
    assert.equal(endOf("2026-12-31"), "2026-12-31T23:00:00.000Z");
  });
  for (const day of ["", "2026-11", "tomorrow"]) assert.equal(endOf(day), "");
});

Deno.test("An end within a day is shown with its time, unless only the day is wanted", () => {
  inTimeZone("UTC", () => {
    assert.equal(shown(SUNDAY, "en-GB", "until"), "Sun 22 Nov, 05:02");
    assert.equal(shown(SUNDAY, "en-GB", "until-day"), "Sun 22 Nov");
  });
});

Deno.test("The reader's own region of the page's language determines the format", () => {
  assert.equal(localeFor("en", ["de-DE", "en-GB", "en-US"]), "en-GB");
  assert.equal(localeFor("en", ["de-DE"]), "en");
  assert.equal(localeFor("fr", []), "fr");
});
