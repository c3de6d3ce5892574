/** In place of Node's `process`, of which the browser needs only the environment: see `next.config.js`. */
export const env = {};
export default { env };
