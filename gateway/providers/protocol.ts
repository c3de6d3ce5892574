import type { ApiType, RegionName } from "#contract/catalog.ts";
import type { Database } from "#gateway/database/database.ts";
import type { ProviderEntry } from "./file/schema.ts";
import type { Fault } from "./http/fault.ts";
import type { HttpAnswer } from "./http/http-client.ts";
import type { Provider } from "./provider.ts";
import type { Mapped } from "./upstreams/mapped.ts";
import type { OutputFetch } from "./upstreams/output-fetch.ts";

/** What the providers of one entry of the providers file may use. */
export interface ProtocolParts {
  entry: ProviderEntry;
  database: Database;
  fetchOutput: OutputFetch;
}

/** One upstream protocol. A new one is a folder that exports its own, and a line in `protocols.ts`. */
export interface Protocol {
  /** As the providers file names it. */
  name: string;
  /** The kinds of operation that it supports. */
  kinds: readonly ApiType[];
  /** The default base URLs, for entries without one: per region, or under `any`. */
  hosts: Partial<Record<RegionName, string>> & { any?: string };
  /** The word before the key in `authorization`. */
  scheme: "Bearer" | "Key";
  /** Reads an error answer. */
  readFault(text: string, headers: HttpAnswer["headers"]): Fault;
  /** Called once per entry of the file; what it returns makes the provider of each of the entry's routes. */
  open(parts: ProtocolParts): (mapped: Mapped) => Provider;
}
