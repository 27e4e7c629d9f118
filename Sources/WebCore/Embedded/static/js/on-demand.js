// Loads the scripts that only some pages need, and tries again when the connection was lost.
//
// Browsers remember a module whose request failed: each further import() of its URL fails at once, until the page is
// left. Another URL would create a second instance. So no module is imported before fetch() has loaded its file and the
// files that it imports: a failed fetch() leaves nothing behind, and import() finds the files in the cache.
const PAUSES_MILLISECONDS = [1_000, 2_000, 5_000, 15_000, 30_000];
const IMPORTED = /^import (?:[^"\n]+ from )?"(\.[^"\n]+)";$/gm;

const modules = new Map();

async function fetchFiles(address, known) {
  if (known.has(address)) return;
  known.add(address);
  const response = await fetch(address);
  if (!response.ok) throw new TypeError(`${address}: ${response.status}`);
  const imported = [...(await response.text()).matchAll(IMPORTED)].map(([, path]) => new URL(path, address).href);
  await Promise.all(imported.map((one) => fetchFiles(one, known)));
}

/** Ends when the browser is online again, or after the pause if there is one. */
function pause(milliseconds) {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      window.removeEventListener("online", end);
      resolve();
    };
    const timer = milliseconds && setTimeout(end, milliseconds);
    window.addEventListener("online", end);
  });
}

async function load(address, prepare) {
  for (let tries = 0; ; tries += 1) {
    try {
      await fetchFiles(address, new Set([import.meta.url]));
      const module = await import(address);
      await prepare?.(module);
      return module;
    } catch (error) {
      // An element's `error` event, or the error of fetch() and import(). Any other error is a defect of the module.
      if (!(error instanceof TypeError || error instanceof Event)) throw error;
      console.warn(`${address} isn't loaded: ${error instanceof Event ? error.type : error.message}`);
      await pause(PAUSES_MILLISECONDS[tries]);
    }
  }
}

/** Stores the taps on the element's plain buttons until `stop()`. A form's button may be outside the form. */
function rememberTaps(element) {
  const buttons = [];
  const remember = ({ target }) => {
    const button = target.closest("button[type=button]");
    if (button && (element.contains(button) || button.form === element)) buttons.push(button);
  };
  document.addEventListener("click", remember);
  return {
    stop: () => document.removeEventListener("click", remember),
    repeat: () => buttons.forEach((button) => button.click()),
  };
}

/** For `enhance()`: attaches a module to an element as soon as the module is loaded, if the element is still in the
 * page. `prepare` loads what the module needs besides its imports. With `repeatsTaps`, taps that come before the module
 * are repeated for it: the plain buttons of the element do nothing else. */
export function onDemand(path, attach, { prepare = null, repeatsTaps = false } = {}) {
  const address = new URL(path, import.meta.url).href;
  return async (element) => {
    const key = prepare ? `${address} prepared` : address;
    if (!modules.has(key)) modules.set(key, load(address, prepare));
    const taps = repeatsTaps ? rememberTaps(element) : null;
    const module = await modules.get(key).finally(() => taps?.stop());
    if (!element.isConnected) return;
    attach(module, element);
    taps?.repeat();
  };
}
