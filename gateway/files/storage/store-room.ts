import type { Logger } from "pino";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Database } from "#gateway/platform/database/database.ts";
import type { ObjectStore } from "./object-store.ts";
import { StoreFullError } from "./store-full.ts";

const channel = "store_room";
type Heard = "full" | "room";
/** A store that refused a file counts as full for this time, unless it takes one. */
const rememberedMs = 60_000;
/** How often the other processes hear that it is still full. */
const tellMs = 10_000;

/** Whether the place for files was full when one of all processes stored something last. */
export interface StoreRoom {
  readonly fullSince: Date | null;
  /** A file could not be stored. */
  full(error: StoreFullError): void;
  /** The same store, whose writes are noted here. */
  noting(store: ObjectStore): ObjectStore;
  close(): void;
}

export async function followStoreRoom(
  database: Pick<Database, "listen" | "notify">,
  log: Logger,
): Promise<StoreRoom> {
  let since: Date | null = null;
  let until = 0;
  let toldAt = Number.NEGATIVE_INFINITY;
  const note = (heard: Heard): void => {
    if (heard === "room") {
      since = null;
      return;
    }
    since = isFull() ? since : clock.date();
    until = clock.now() + rememberedMs;
  };
  const isFull = () => since !== null && clock.now() < until;
  const stop = await database.listen(channel, (heard) => {
    if (heard === "full" || heard === "room") note(heard);
  });
  const full = (error: StoreFullError): void => {
    if (!isFull()) log.error({ err: error.cause }, error.message);
    note("full");
    if (clock.now() - toldAt < tellMs) return;
    toldAt = clock.now();
    database.notify(channel, "full" satisfies Heard);
  };
  const noted = async <Stored>(store: () => Promise<Stored>): Promise<Stored> => {
    try {
      const stored = await store();
      if (isFull()) {
        log.info("files can be stored again");
        note("room");
        toldAt = Number.NEGATIVE_INFINITY;
        database.notify(channel, "room" satisfies Heard);
      }
      return stored;
    } catch (error) {
      if (error instanceof StoreFullError) full(error);
      throw error;
    }
  };
  return {
    get fullSince() {
      return isFull() ? since : null;
    },
    full,
    noting: (store) => ({
      ...store,
      put: (...file) => noted(() => store.put(...file)),
      parts: {
        ...store.parts,
        put: (...part) => noted(() => store.parts.put(...part)),
        complete: (...whole) => noted(() => store.parts.complete(...whole)),
      },
    }),
    close: stop,
  };
}
