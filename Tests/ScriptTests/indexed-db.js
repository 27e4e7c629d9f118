// The part of IndexedDB that the queue uses, in memory. Deno has none.

/** Sets `request.result` later, as a browser does. */
function respond(request, result) {
  queueMicrotask(() => {
    request.result = result;
    request.onsuccess?.();
  });
  return request;
}

class Store {
  constructor({ keyPath = null } = {}) {
    this.keyPath = keyPath;
    this.records = new Map();
    this.lastKey = 0;
  }

  write(value, key) {
    this.records.set(key, value);
    return respond({}, key);
  }

  add(value) {
    this.lastKey += 1;
    return this.write({ ...value, [this.keyPath]: this.lastKey }, this.lastKey);
  }

  put(value, key = value[this.keyPath]) {
    return this.write(value, key);
  }

  get(key) {
    return respond({}, this.records.get(key));
  }

  getAll() {
    return respond({}, [...this.records.values()]);
  }

  delete(key) {
    this.records.delete(key);
    return respond({}, undefined);
  }

  openCursor() {
    const request = {};
    const keys = [...this.records.keys()];
    const step = () => {
      const key = keys.shift();
      const cursor = { value: this.records.get(key), update: (value) => this.put(value), continue: step };
      respond(request, key === undefined ? null : cursor);
    };
    step();
    return request;
  }
}

/** An `indexedDB`, each of whose transactions has a single request and completes after it. With `isBroken`,
 * transactions are aborted, as on a full disk. */
export class MemoryDatabase {
  stores = new Map();
  isBroken = false;

  open() {
    const request = { result: this };
    queueMicrotask(() => {
      if (this.stores.size === 0) request.onupgradeneeded();
      request.onsuccess();
    });
    return request;
  }

  createObjectStore(name, options) {
    this.stores.set(name, new Store(options));
  }

  clear() {
    this.stores.forEach((store) => store.records.clear());
  }

  transaction(name) {
    const transaction = { objectStore: () => this.stores.get(name), error: new Error("the disk is full") };
    setTimeout(() => (this.isBroken ? transaction.onabort() : transaction.oncomplete()));
    return transaction;
  }
}
