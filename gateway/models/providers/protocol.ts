import type { ApiType, RegionName } from "#contract/catalog.ts";
import type { Database } from "#gateway/platform/database/database.ts";
import type { Connection } from "./configuration.ts";
import type { Fault } from "./http/fault.ts";
import type { HttpAnswer } from "./http/http-client.ts";
import type { ProtocolFacts } from "./protocol-facts.ts";
import type { Provider } from "./provider.ts";
import type { KeyScheme } from "./upstreams/key-header.ts";
import type { Mapped } from "./upstreams/mapped.ts";
import type { OutputFetch } from "./upstreams/output-fetch.ts";

/** The parts that one connection's providers may use. */
export interface ProtocolParts {
  entry: Connection["entry"];
  database: Database;
  fetchOutput: OutputFetch;
}

/** One upstream protocol. To add one, make a folder that exports it and add a line in `protocols.ts`. */
export interface Protocol {
  /** Its name in the providers file. */
  name: string;
  /** The kinds of operation that it supports. */
  kinds: readonly ApiType[];
  /** The default base URLs, for entries without one: per region, or under `any`. */
  hosts: Partial<Record<RegionName, string>> & { any?: string };
  scheme: KeyScheme;
  /** Headers of every call. */
  headers?: Readonly<Record<string, string>>;
  /** Reads an error answer. */
  readFault(text: string, headers: HttpAnswer["headers"]): Fault;
  facts: ProtocolFacts;
  /** Called once per connection; the returned function makes the provider for each of its routes. */
  open(parts: ProtocolParts): (mapped: Mapped) => Provider;
}
