import { writeFileSync } from "node:fs";
import path from "node:path";
import pg from "pg";
import { pino } from "pino";
import { startEmbedded } from "#gateway/platform/database/embedded/embedded.ts";
import { freePort, type Program, startNode } from "./processes.ts";

const owner = { email: "bench@example.com", password: "a-password-for-the-bench" };

export interface BenchGateway {
  program: Program;
  /** Ends with `/v1`. */
  url: string;
  /** An account key with the usual scopes. */
  key: string;
  /** The bearer of the signed-in owner. */
  session: string;
}

const own = path.join(import.meta.dirname, "../..");

/**
 * The gateway as shipped, in its own process with its own embedded PostgreSQL. Key, checks, metering, request
 * log and log lines are on; only the rate limit is raised. `environment` adds settings. The log is written to
 * a file. `tree`: the checkout whose gateway is started.
 */
export async function startGateway(
  folder: string,
  environment: Record<string, string>,
  tree = own,
): Promise<BenchGateway> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/v1`;
  const program = await startNode(["gateway/main.ts"], {
    environment: {
      GATEWAY_HOST: "127.0.0.1",
      GATEWAY_PORT: String(port),
      GATEHOUSE_DATA_DIR: path.join(folder, "data"),
      AUTH_SECRET: "a-secret-for-the-bench-alone-0001",
      OWNER_EMAIL: owner.email,
      OWNER_PASSWORD: owner.password,
      REQUESTS_PER_MINUTE: "1000000000",
      MAX_CONCURRENCY: "1000",
      ...environment,
    },
    logFile: path.join(folder, "gateway.log"),
    port,
    url: `http://127.0.0.1:${port}/readyz`,
    cwd: tree,
  });
  const { token } = await post(`${url}/account/sessions`, owner);
  const { secret } = await post(`${url}/keys`, { name: "bench" }, String(token));
  return { program, url, key: String(secret), session: String(token) };
}

/** Connects to the database of a gateway that was started in this folder, as it is: nothing is migrated. */
export async function poolOf(folder: string): Promise<pg.Pool> {
  const dataDir = path.join(folder, "data");
  const { connection } = await startEmbedded({ dataDir, log: pino({ level: "warn" }), mode: "borrow" });
  const pool = new pg.Pool({ ...connection, max: 16 });
  // The server ends before the benchmark does.
  pool.on("error", () => {});
  return pool;
}

/** A providers file that maps models to an OpenAI-compatible upstream on this machine. */
export function writeProvidersFile(folder: string, models: readonly string[], baseUrl: string): string {
  return writeRoute(folder, models, { protocol: "openai", base_url: baseUrl }, "mock");
}

/** The same for a model that a Replicate-compatible server runs as jobs. */
export function writeJobsFile(folder: string, model: string, baseUrl: string): string {
  return writeRoute(folder, [model], { protocol: "replicate", base_url: baseUrl }, "acme/picture");
}

function writeRoute(
  folder: string,
  models: readonly string[],
  upstream: object,
  upstreamModel: string,
): string {
  const file = path.join(folder, "providers.json");
  const provider = { ...upstream, credentials: { "us-virginia": {} } };
  const route = { models, provider: "mock", upstream_model: upstreamModel };
  writeFileSync(file, JSON.stringify({ providers: { mock: provider }, routes: [route] }));
  return file;
}

/** Posts JSON and returns the answer's. */
export async function post(url: string, body: unknown, bearer?: string): Promise<Record<string, unknown>> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...(bearer && { authorization: `Bearer ${bearer}` }) },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`POST ${url}: ${response.status} ${await response.text()}`);
  return (await response.json()) as Record<string, unknown>;
}
