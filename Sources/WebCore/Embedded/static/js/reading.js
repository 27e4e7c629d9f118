// Reports messages as read once the page that shows them is visible.
const headers = { "Content-Type": "application/json", Accept: "application/json" };

export function attach(mark) {
  const report = () => {
    if (document.hidden || !mark.isConnected) return;
    const body = JSON.stringify({ number: Number(mark.dataset.number) });
    // Without a connection, the next visit reports them.
    fetch(mark.dataset.reading, { method: "PUT", headers, body, keepalive: true }).catch(() => {});
  };
  // A live update changes the number of the same element.
  new MutationObserver(report).observe(mark, { attributes: true, attributeFilter: ["data-number"] });
  document.addEventListener("visibilitychange", report);
  report();
}
