/** In place of Next's polyfills for browsers that the console does not support: see `next.config.js`. */
export {};
