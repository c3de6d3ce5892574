import type { Readable } from "node:stream";

/** Opens an output URL from an upstream; the limit is in bytes. Throws ProviderError. */
export type OutputFetch = (url: string, signal: AbortSignal, limit?: number) => Promise<Readable>;
