// Scripts of the version before this one import this name.
export { isCachedPage as isFromStore } from "./cached-page.js";
