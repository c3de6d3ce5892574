import { stat } from "node:fs/promises";
import type { Logger } from "pino";
import type { Connection, Mapping } from "#gateway/models/providers/configuration.ts";
import {
  checkProvidersFile,
  connectionsOf,
  type FileRoute,
  readProvidersFile,
} from "#gateway/models/providers/file/check.ts";
import type { RoutableModel } from "#gateway/models/providers/file/expand-route.ts";
import type { ProvidersFile } from "#gateway/models/providers/file/schema.ts";
import { ConfigError } from "#gateway/platform/core/setting-reader.ts";

/** The content of the providers file. */
export interface FilePart {
  path: string;
  content: ProvidersFile;
  connections: readonly Connection[];
  routes: readonly FileRoute[];
  /** The mappings of all routes in the file. */
  mappings: readonly Mapping[];
  /** Why the current file is not in use; its previous content stays in use. */
  problem: string | null;
}

/** Reads the providers file again after a change. A change that cannot be used is logged and ignored. */
export class ProvidersFileReader {
  private readonly path: string | null;
  private readonly log: Logger;
  private last: FilePart | null = null;
  private warned = "";

  constructor(path: string | null, log: Logger) {
    this.path = path;
    this.log = log;
  }

  /** The stamp changes with the file. */
  async stamp(): Promise<string> {
    return this.path === null ? "" : fileStamp(this.path);
  }

  /** Null without a file. Throws ConfigError if it is unusable and no earlier content exists. */
  read(models: readonly RoutableModel[]): FilePart | null {
    const { path } = this;
    if (path === null) return null;
    try {
      const content = readProvidersFile(path);
      const routes = checkProvidersFile(content, { path, models, environment: process.env });
      const connections = connectionsOf(content, process.env);
      const mappings = routes.flatMap((route) => route.mappings);
      this.last = { path, content, connections, routes, mappings, problem: null };
      this.warn(content, routes);
    } catch (error) {
      if (!this.last || !(error instanceof ConfigError)) throw error;
      this.log.error(
        { problem: error.message },
        "the providers file cannot be used; what it said before stays",
      );
      this.last = { ...this.last, problem: error.message };
    }
    return this.last;
  }

  /** Logs the problems, unless they are the ones that were last logged. */
  private warn({ models, aliases, prices }: ProvidersFile, routes: readonly FileRoute[]): void {
    const problems = routes.flatMap(({ problems }, index) =>
      problems.map(({ at, problem }) => `routes[${index}]${at} ${problem}`),
    );
    const unread = Object.entries({ models, aliases, prices }).flatMap(([name, part]) => (part ? name : []));
    const said = [...problems, ...unread].join("; ");
    if (said !== this.warned) {
      const { path } = this;
      if (problems.length > 0)
        this.log.warn({ path, problems }, "routes of the providers file serve less than they say");
      if (unread.length > 0)
        this.log.warn({ path, parts: unread }, "these parts of a providers file are only read by an import");
    }
    this.warned = said;
  }
}

/** A text that differs after each change of the file. */
export function fileStamp(path: string): Promise<string> {
  return stat(path).then(
    ({ mtimeMs, size, ino }) => `${mtimeMs} ${size} ${ino}`,
    () => "missing",
  );
}
