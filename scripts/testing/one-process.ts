import { cleanup } from "@testing-library/react";
import { afterAll, vi } from "vitest";

// Test files share a process, so React and the DOM are loaded once. Each file still gets its own modules, which it may
// mock, and the globals and the page as the first file found them. Modules are forgotten here and not at a file's end,
// because parts that load late come after it.
vi.resetModules();

type Properties = [key: PropertyKey, property: PropertyDescriptor][];

const propertiesOf = (thing: object): Properties =>
  Reflect.ownKeys(thing).map((key) => [key, Object.getOwnPropertyDescriptor(thing, key) ?? {}]);

function restore(thing: object, properties: Properties): void {
  for (const [key, before] of properties) {
    const now = Object.getOwnPropertyDescriptor(thing, key);
    const isSame = now?.value === before.value && now?.get === before.get && now?.set === before.set;
    if (before.configurable && !isSame) Object.defineProperty(thing, key, before);
  }
}

const globals = propertiesOf(globalThis);
const prototypes = globals.flatMap(([, { value }]) =>
  typeof value === "function" && value.prototype ? [value.prototype as object] : [],
);
const before = [globalThis, ...prototypes].map((thing) => [thing, propertiesOf(thing)] as const);
const address = typeof location === "undefined" ? null : location.href;

afterAll(async () => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  if (address) clearPage(address);
  await vi.dynamicImportSettled();
  for (const [thing, properties] of before) restore(thing, properties);
});

/** Unmounts what the file rendered, and empties what pages keep. */
function clearPage(url: string): void {
  cleanup();
  const { documentElement, head, body } = document;
  for (const part of [head, body]) part.replaceChildren();
  for (const element of [documentElement, head, body])
    for (const name of element.getAttributeNames()) element.removeAttribute(name);
  for (const storage of [localStorage, sessionStorage]) storage.clear();
  for (const pair of document.cookie.split("; ")) {
    // biome-ignore lint/suspicious/noDocumentCookie: the DOM of the tests has no other way
    document.cookie = `${pair.split("=")[0]}=; max-age=0; path=/`;
  }
  (window as unknown as { happyDOM: { setURL(url: string): void } }).happyDOM.setURL(url);
}
