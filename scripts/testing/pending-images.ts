/** The test's DOM fetches no image and calls each one complete; in a browser it is pending until it has loaded or failed. */
if (typeof HTMLImageElement !== "undefined")
  Object.defineProperty(HTMLImageElement.prototype, "complete", { configurable: true, get: () => false });
