import type { Readable } from "node:stream";

/** Opens an output URL that an upstream handed out. Throws ProviderError. */
export type OutputFetch = (url: string, signal: AbortSignal) => Promise<Readable>;
