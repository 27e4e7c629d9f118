"""Finds texts of people that could reorder what is around them: `html_isolation.py FILE` prints one line for each.

FILE is JSON: {"pages": [{"name", "html"}], "pattern", "values"}. The pattern matches a text from right to left. In an
element, it must be in a `bdi` or between isolating control characters (UAX #9); in an attribute or element that people
read and that has no elements, between these characters. A `bdi` must have nothing but one of the values, unless there
are none: then it would isolate a text together with what is around it."""

import json
import os
import pathlib
import sys

from playwright.sync_api import sync_playwright

CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")

FIND = r"""({page, pattern, values}) => {
  const READ = ['alt', 'aria-description', 'aria-label', 'aria-roledescription', 'label', 'placeholder', 'title']
  const EXACT = ['TEXTAREA', 'SCRIPT', 'STYLE']
  const isIsolated = (text) => {
    const found = new RegExp(pattern, 'gu')
    for (let match; (match = found.exec(text));) {
      const before = text.slice(0, match.index)
      const depth = before.split('\u2068').length - before.split('\u2069').length
      if (depth < 1) return false
    }
    return true
  }
  const faults = []
  const walk = (node) => {
    if (node.nodeType === Node.TEXT_NODE) {
      const parent = node.parentElement
      const text = node.data
      if (!new RegExp(pattern, 'u').test(text)) return
      if (EXACT.includes(parent?.nodeName)) {
        if (/[\u2068\u2069]|<bdi/.test(text)) faults.push(`changed in ${parent.nodeName}: ${text}`)
        return
      }
      const isolate = parent?.closest('bdi')
      if (isolate && values.length && !values.includes(isolate.textContent)) faults.push(`with others in bdi: ${text}`)
      if (!isolate && !isIsolated(text)) faults.push(`not isolated: ${text}`)
      return
    }
    for (const {name, value} of node.attributes ?? []) {
      if (value.includes('<bdi')) faults.push(`element in ${name}: ${value}`)
      if (READ.includes(name) && !isIsolated(value)) faults.push(`not isolated in ${name}: ${value}`)
    }
    for (const child of (node instanceof HTMLTemplateElement ? node.content : node).childNodes) walk(child)
  }
  walk(new DOMParser().parseFromString(page.html, 'text/html').documentElement)
  return faults.map(fault => `${page.name}: ${fault.trim()}`)
}"""


def main(path):
    content = json.loads(pathlib.Path(path).read_text())
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"])
        tab = browser.new_page()
        faults = set()
        # Not the pages: all of them with each would be sent again and again.
        shared = {"pattern": content["pattern"], "values": content["values"]}
        for page in content["pages"]:
            faults.update(tab.evaluate(FIND, {**shared, "page": page}))
        browser.close()
    for fault in sorted(faults):
        print(fault[:500])


if __name__ == "__main__":
    main(sys.argv[1])
