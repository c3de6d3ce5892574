import type { ExtraPackage } from "./ensure-extra-package.ts";

/** The command line of the MCP Inspector; 110 MB. */
export const inspector: ExtraPackage = {
  name: "@modelcontextprotocol/inspector",
  version: "2.12.0",
  file: "clients/launcher/build/index.js",
};

/** Drives both Chromium and Firefox, over WebDriver BiDi; 57 MB. */
export const puppeteer: ExtraPackage = {
  name: "puppeteer-core",
  version: "24.43.1",
  file: "lib/esm/puppeteer/puppeteer-core.js",
};
