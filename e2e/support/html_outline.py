"""Compares pages as Chromium's HTML parser reads them: `html_outline.py FILE` prints each page of FILE whose hostile
version has other elements, attributes or texts than its plain version.

FILE is JSON: {"plainText", "hostileText", "pages": [{"name", "plain", "hostile"}]}. In a hostile page a hostile text
replaces each plain text. With the plain texts restored, both versions must have the same outline."""

import json
import os
import pathlib
import sys

from playwright.sync_api import sync_playwright

CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")

COMPARE = """({plainText, hostileText, page}) => {
  const outline = (html, change) => {
    const lines = []
    const walk = (node, depth) => {
      const pad = ' '.repeat(depth)
      if (node.nodeType === Node.ELEMENT_NODE) {
        const attributes = [...node.attributes].map(({name, value}) => `${name}=${JSON.stringify(change(value))}`)
        lines.push(`${pad}<${node.localName} ${attributes.join(' ')}>`)
      } else {
        lines.push(pad + node.nodeName + JSON.stringify(change(node.nodeValue ?? '')))
      }
      const parent = node instanceof HTMLTemplateElement ? node.content : node
      for (const child of parent.childNodes) walk(child, depth + 1)
    }
    walk(new DOMParser().parseFromString(html, 'text/html').documentElement, 0)
    return lines
  }
  const plain = outline(page.plain, text => text)
  const hostile = outline(page.hostile, text => text.replaceAll(hostileText, plainText))
  const index = plain.findIndex((line, index) => line !== hostile[index])
  if (index < 0 && plain.length === hostile.length) return null
  return `${page.name}\\n  plain:   ${plain[index]}\\n  hostile: ${hostile[index < 0 ? plain.length : index]}`
}"""


def main(path):
    content = json.loads(pathlib.Path(path).read_text())
    texts = {"plainText": content["plainText"], "hostileText": content["hostileText"]}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"])
        tab = browser.new_page()
        for page in content["pages"]:
            difference = tab.evaluate(COMPARE, {**texts, "page": page})
            if difference:
                print(difference[:2_000])
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1])
