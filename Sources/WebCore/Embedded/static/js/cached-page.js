// Whether this page came from the cache: without a connection, or because the app was just opened.
export const isCachedPage = document.documentElement.matches("[data-stored-at], [data-launched-at]");
