// Notifications on every page: opens the target of a tapped notification, marks opened ones as read, and reports a
// renewed subscription to the server that the worker couldn't report.
/* global homewardQueue */
const headers = { "Content-Type": "application/json", Accept: "application/json" };

navigator.serviceWorker?.addEventListener("message", ({ data, ports: [worker] }) => {
  if (data?.kind !== "visit" || !/^\/(?![/\\])/.test(data.path)) return;
  worker.onmessage = () => location.assign(data.path);
  worker.postMessage("here");
});

document.addEventListener("click", (event) => {
  const link = event.target.closest?.("a[data-notice]");
  if (!link || !link.classList.contains("is-unread")) return;
  const body = JSON.stringify({ id: link.dataset.notice });
  // Completes even if the page is left.
  fetch("/notifications/reading", { method: "PUT", headers, body, keepalive: true }).catch(() => {});
});

async function tellRenewed() {
  const { person } = document.body.dataset;
  const renewed = person && (await homewardQueue.fact("renewed-subscription"));
  if (!renewed) return;
  if (renewed.account === person) {
    const answer = await fetch("/notifications/subscription", { method: "PUT", headers, body: renewed.body });
    if (answer.status === 423 || answer.status >= 500) return;
  }
  await homewardQueue.setFact("renewed-subscription", null);
}
// Without a connection or storage, the next page tries again.
tellRenewed().catch(() => {});
