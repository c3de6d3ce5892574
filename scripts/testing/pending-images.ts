/**
 * The test's DOM loads no images and calls each one complete. In a browser, an image is pending until it has
 * loaded or failed.
 */
if (typeof HTMLImageElement !== "undefined")
  Object.defineProperty(HTMLImageElement.prototype, "complete", { configurable: true, get: () => false });
