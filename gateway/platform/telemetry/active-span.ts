import { AsyncLocalStorage } from "node:async_hooks";
import type { Place } from "./span.ts";

/** The span that what happens now is a part of. */
export const activeSpan = new AsyncLocalStorage<Place | undefined>();
