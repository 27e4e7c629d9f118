// Changes made without a connection: stored in the browser and sent in their order, each with its original key, so that
// sending it twice is harmless. Pages and the service worker run this same file, and a worker's scripts can't export,
// so the shared functions are in `homewardQueue`.
self.homewardQueue = (() => {
  const CHANGES = "changes";
  const FACTS = "facts";
  const LOCK = "homeward-queue";
  const PATIENCE_MILLISECONDS = 60_000;
  const PATIENCE_WITH_FILES_MILLISECONDS = 600_000;
  const CHANGES_LIMIT = 200;
  const CHANGE_BYTES_LIMIT = 2 * 1024 * 1024;
  const news = new BroadcastChannel("homeward-queue");
  let opening = null;

  function open() {
    opening ??= new Promise((resolve, reject) => {
      const request = indexedDB.open("homeward", 1);
      request.onupgradeneeded = () => {
        request.result.createObjectStore(CHANGES, { keyPath: "id", autoIncrement: true });
        request.result.createObjectStore(FACTS);
      };
      request.onsuccess = () => {
        // Another tab may upgrade the database, or the browser may have closed it.
        request.result.onclose = () => (opening = null);
        request.result.onversionchange = () => {
          request.result.close();
          opening = null;
        };
        resolve(request.result);
      };
      request.onerror = () => {
        opening = null;
        reject(request.error);
      };
    });
    return opening;
  }

  async function run(store, mode, work) {
    const database = await open();
    return new Promise((resolve, reject) => {
      const transaction = database.transaction(store, mode, { durability: "strict" });
      const request = work(transaction.objectStore(store));
      transaction.oncomplete = () => resolve(request.result);
      transaction.onabort = () => reject(transaction.error);
    });
  }

  const tell = (message) => news.postMessage(message);

  function size(change) {
    return change.fields.reduce((sum, [name, value]) => sum + name.length + (value.size ?? value.length), 0);
  }

  /** The changes of an account in their order, including rejected ones. */
  async function list(account) {
    const all = await run(CHANGES, "readonly", (store) => store.getAll());
    return all.filter((change) => change.account === account);
  }

  /** Stores a change; false if there is no room for it. */
  async function add(change) {
    if (size(change) > CHANGE_BYTES_LIMIT || (await list(change.account)).length >= CHANGES_LIMIT) return false;
    await run(CHANGES, "readwrite", (store) => store.add({ ...change, state: "waiting" }));
    tell({ kind: "changed" });
    return true;
  }

  async function remove(id) {
    await run(CHANGES, "readwrite", (store) => store.delete(id));
    tell({ kind: "changed" });
  }

  /** Deletes a change that shall never be sent. */
  async function discard(id) {
    tell({ kind: "discarded", id });
    await remove(id);
  }

  async function clear(account) {
    for (const { id } of await list(account)) await run(CHANGES, "readwrite", (store) => store.delete(id));
    tell({ kind: "changed" });
  }

  const fact = (name) => run(FACTS, "readonly", (store) => store.get(name));
  const setFact = (name, value) => run(FACTS, "readwrite", (store) => store.put(value, name));

  function request(change) {
    const body = change.enctype === "multipart/form-data" ? new FormData() : new URLSearchParams();
    for (const [name, value] of change.fields) body.append(name, value);
    const hasFiles = change.fields.some(([, value]) => value instanceof File);
    return fetch(change.url, {
      method: "POST",
      body,
      redirect: "manual",
      headers: { Accept: "application/json", "Idempotency-Key": change.key, "Homeward-Account": change.account },
      signal: AbortSignal.timeout?.(hasFiles ? PATIENCE_WITH_FILES_MILLISECONDS : PATIENCE_MILLISECONDS),
    });
  }

  /** Whether a response is this server's. A proxy or the sign-in page of a network may respond in its place, with any
   * status. */
  const isFromServer = (answer) => answer.headers.has("Homeward-Server");

  /** Whether changes that stopped for this reason can be sent without the person's help. */
  const isToBeTried = (stopped) => ["offline", "intercepted", "later"].includes(stopped);

  const json = (answer) => answer.json().catch(() => ({}));

  /** Updates later changes that were made on the same version: they get the version that this change has led to.
   * Fields that they left unchanged get this change's values; a photo that this change uploaded has an id. */
  async function follow(change, made) {
    const versionOf = ({ fields }) => fields.find(([name]) => name === "version")?.[1];
    const before = versionOf(change);
    // A repeated response can include another person's later change: that is a conflict, and is reported.
    if (!before || !Number.isInteger(made.version) || made.version > Number(before) + 1) return;
    const photo = made.pictureId ?? made.avatarPictureId;
    for (const later of await list(change.account)) {
      if (later.id <= change.id || later.url !== change.url || later.state !== "waiting" || versionOf(later) !== before) continue;
      const isLeft = ([name]) => later.untouched?.includes(name);
      const present = change.fields.filter(isLeft).map(([name, value]) => [name, name === "pictureId" ? photo ?? value : value]);
      const fields = [...later.fields.filter((field) => !isLeft(field)), ...present]
        .map(([name, value]) => [name, name === "version" ? String(made.version) : value]);
      await run(CHANGES, "readwrite", (store) => store.put({ ...later, fields }));
    }
  }

  /** Refuses later changes with the same wrong picture PIN: each of them would count as an attempt. */
  async function refuseLike(change, problem) {
    const pinOf = ({ fields }) => fields.find(([name]) => name === "pin")?.[1];
    const place = ({ url }) => new URL(url).pathname.split("/").slice(0, 5).join("/");
    await run(CHANGES, "readwrite", (store) => {
      const request = store.openCursor();
      request.onsuccess = () => {
        const cursor = request.result;
        if (!cursor) return;
        const later = cursor.value;
        const isLike = later.account === change.account && place(later) === place(change) && pinOf(later) === pinOf(change);
        if (isLike && later.state === "waiting") cursor.update({ ...later, state: "refused", problem });
        cursor.continue();
      };
      return request;
    });
  }

  /** Sends one change; resolves to the reason why the others must wait, or nothing. */
  async function deliver(change) {
    let answer, words;
    try {
      answer = await request(change);
      words = answer.status === 204 ? {} : await json(answer);
    } catch {
      return "offline";
    }
    if (!isFromServer(answer)) return "intercepted";
    if (answer.ok) {
      await follow(change, words);
      await remove(change.id);
      return null;
    }
    if (answer.status === 401) return "signedOut";
    if (answer.status === 423) return "locked";
    if (answer.status === 408 || answer.status === 429 || answer.status >= 500) return "later";
    const problem = { status: answer.status, message: words.error?.message ?? "", fields: words.error?.fields ?? {} };
    await run(CHANGES, "readwrite", (store) => store.put({ ...change, state: "refused", problem }));
    if (problem.fields.pin) await refuseLike(change, problem);
    tell({ kind: "refused" });
    return null;
  }

  async function sendAll(account) {
    let sent = 0;
    let stopped = null;
    for (const { id } of await list(account)) {
      // Read again each time: it may have been discarded, or changed by the one before.
      const change = await run(CHANGES, "readonly", (store) => store.get(id));
      if (change?.state !== "waiting") continue;
      stopped = await deliver(change);
      if (stopped) break;
      sent += 1;
    }
    await setFact("stopped", stopped);
    tell({ kind: "tried", sent, stopped });
    return { sent, stopped };
  }

  /** Sends an account's queued changes in their order; one page or worker at a time. Never rejects. */
  async function send(account) {
    try {
      if (!navigator.locks) return await sendAll(account);
      return await navigator.locks.request(LOCK, () => sendAll(account));
    } catch {
      return { sent: 0, stopped: "later" };
    }
  }

  return { list, add, discard, clear, send, fact, setFact, isFromServer, isToBeTried };
})();
