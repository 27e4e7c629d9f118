// Pages of the version before this one load this name while they are open.
export { attach } from "./clearable-radio.js";
