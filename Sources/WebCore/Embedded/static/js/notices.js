// What every page does about notifications: goes where one leads that was tapped, and marks as read what is opened.
const headers = { "Content-Type": "application/json", Accept: "application/json" };

navigator.serviceWorker?.addEventListener("message", ({ data }) => {
  if (data?.kind === "open" && /^\/(?![/\\])/.test(data.path)) location.assign(data.path);
});

document.addEventListener("click", (event) => {
  const link = event.target.closest?.("a[data-notice]");
  if (!link || !link.classList.contains("is-unread")) return;
  const body = JSON.stringify({ id: link.dataset.notice });
  // Outlives the page that it is sent from.
  fetch("/notifications/reading", { method: "PUT", headers, body, keepalive: true }).catch(() => {});
});
