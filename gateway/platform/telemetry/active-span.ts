import { AsyncLocalStorage } from "node:async_hooks";
import type { Place } from "./span.ts";

/** The current span. */
export const activeSpan = new AsyncLocalStorage<Place | undefined>();
