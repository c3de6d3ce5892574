import { rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { pino } from "pino";
import type { ApiType } from "#contract/catalog.ts";
import { newId } from "#contract/ids.ts";
import { createCatalog } from "#gateway/models/catalog/load.ts";
import type {
  Provider,
  ProviderRequest,
  ProviderStatus,
  ResolvedMedia,
} from "#gateway/models/providers/provider.ts";
import { testConfig } from "#gateway/testing/config.ts";
import { createTestDatabase } from "#gateway/testing/database.ts";
import { newFolder } from "#gateway/testing/folder.ts";
import { createSandbox } from "../provider.ts";

const log = pino({ level: "silent" });
const catalog = createCatalog();

/** A medium of a test: its path in the body, and its bytes. */
export interface TestMedia {
  path: string;
  kind: ResolvedMedia["kind"];
  bytes: Buffer;
}

/** A sandbox with its own data folder and database, and functions to call it. */
export async function startSandbox(config: Parameters<typeof testConfig>[0] = {}) {
  const settings = testConfig(config);
  const database = await createTestDatabase();
  const sandbox = createSandbox({ config: settings, database, log, storeRoom: { full: () => {} } });
  const folder = newFolder("media");

  /** A request as the gateway builds it: the catalog entry, a validated body, media in local files. */
  async function request(
    model: string,
    apiType: ApiType,
    input: Record<string, unknown>,
    media: TestMedia[] = [],
    accountId = "acct_test",
  ): Promise<ProviderRequest> {
    const compiled = catalog.operation(`svc/${model}`, apiType);
    if (!compiled) throw new Error(`The catalog has no ${apiType} of ${model}`);
    const id = newId(compiled.operation.execution_mode === "async" ? "prediction" : "generation");
    const resolved: ResolvedMedia[] = [];
    for (const [index, { path: field, kind, bytes }] of media.entries()) {
      const file = path.join(folder, `${id}-${index}`);
      await writeFile(file, bytes);
      resolved.push({ path: field, kind, contentType: `${kind}/test`, sizeBytes: bytes.length, file });
    }
    return {
      id,
      accountId,
      model: compiled.model,
      operation: compiled.operation,
      engine: compiled.engine,
      region: compiled.model.available_regions[0] ?? "us-virginia",
      input,
      media: resolved,
      // The sandbox never fetches a URL; it reads only local files.
      mediaUrl: () => Promise.reject(new Error("the sandbox asked for a URL")),
      signal: new AbortController().signal,
      log,
    };
  }

  async function close(): Promise<void> {
    await sandbox.close?.();
    await database.close();
    await rm(folder, { recursive: true, force: true });
  }
  return { sandbox, database, settings, request, close };
}

/** Starts an async request and polls it until it ends; also returns the states seen meanwhile. */
export async function finish(
  sandbox: Provider,
  request: ProviderRequest,
): Promise<{ status: ProviderStatus; seen: ProviderStatus[] }> {
  const { ref } = await sandbox.start(request);
  const seen: ProviderStatus[] = [];
  for (;;) {
    const status = await sandbox.status(ref, request);
    seen.push(status);
    if (status.state !== "queued" && status.state !== "running") return { status, seen };
    await new Promise((resolve) => setTimeout(resolve, status.pollAfterMs ?? 200));
  }
}
