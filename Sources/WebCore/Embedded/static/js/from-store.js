// Whether this page came from the store, as it was last seen: for want of a connection, or because the app was just opened.
export const isFromStore = document.documentElement.matches("[data-stored-at], [data-launched-at]");
