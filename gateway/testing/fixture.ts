import { beforeAll, beforeEach } from "vitest";

type Closable = { close?(): unknown };

/**
 * Opens a thing before the tests of this file, or of the block that calls this, and closes it after them. The
 * result stands for the thing: use its members in tests and hooks, and in what later fixtures open.
 */
export function shared<Thing extends object>(open: () => Promise<Thing> | Thing): Thing {
  return openedBy(beforeAll, open);
}

/** As `shared`, but each test has its own. */
export function fresh<Thing extends object>(open: () => Promise<Thing> | Thing): Thing {
  return openedBy(beforeEach, open);
}

function openedBy<Thing extends object>(
  hook: typeof beforeAll | typeof beforeEach,
  open: () => Promise<Thing> | Thing,
): Thing {
  let opened: Thing | undefined;
  hook(async () => {
    const thing: Thing & Closable = await open();
    opened = thing;
    return () => thing.close?.();
  });
  const thing = (): Thing => {
    if (!opened) throw new Error("A fixture was used before its hook opened it.");
    return opened;
  };
  return new Proxy({} as Thing, {
    get: (_, key) => Reflect.get(thing(), key),
    set: (_, key, value) => Reflect.set(thing(), key, value),
    has: (_, key) => Reflect.has(thing(), key),
    ownKeys: () => Reflect.ownKeys(thing()),
    getOwnPropertyDescriptor: (_, key) => Reflect.getOwnPropertyDescriptor(thing(), key),
  });
}
