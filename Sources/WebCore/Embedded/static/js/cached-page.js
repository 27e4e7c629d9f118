// Whether this page came from the cache: without a connection, or because the app was just opened.
export const isCachedPage = document.documentElement.matches("[data-stored-at], [data-launched-at]");

/** Whether a refresh got the part from the cache, because the request failed. */
export const isCachedPart = (request) => (request?.getResponseHeader("Homeward-Stored-At") ?? null) !== null;
