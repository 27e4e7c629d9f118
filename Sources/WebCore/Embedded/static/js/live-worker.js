// One event stream for all pages of this browser: HTTP/1.1 allows only six connections to a server.
const ports = new Set();
let stream = null;
let isOpen = false;
let wait = 0;
let timer = 0;
let address = null;

const FIRST_WAIT_MILLISECONDS = 250;
const LONGEST_WAIT_MILLISECONDS = 8_000;

function tell(message) {
  for (const port of ports) port.postMessage(message);
}

function open() {
  clearTimeout(timer);
  stream?.close();
  stream = new EventSource(address);
  stream.onopen = () => {
    isOpen = true;
    wait = 0;
    tell({ kind: "open" });
  };
  stream.addEventListener("change", (event) => tell({ kind: "change", data: event.data }));
  stream.onerror = () => {
    isOpen = false;
    stream.close();
    tell({ kind: "lost" });
    wait = Math.min(LONGEST_WAIT_MILLISECONDS, wait ? wait * 2 : FIRST_WAIT_MILLISECONDS);
    // Without pages, the stream stays closed until the next page opens.
    if (ports.size > 0) timer = setTimeout(open, wait + Math.random() * FIRST_WAIT_MILLISECONDS);
    else stream = null;
  };
}

onconnect = (event) => {
  const port = event.ports[0];
  ports.add(port);
  port.onmessage = ({ data }) => {
    if (data.kind === "bye") {
      ports.delete(port);
      if (ports.size === 0) {
        stream?.close();
        stream = null;
        isOpen = false;
      }
      return;
    }
    ports.add(port);
    address = data.address;
    if (!stream || (data.kind === "again" && !isOpen)) open();
    else if (isOpen) port.postMessage({ kind: "open" });
  };
};
