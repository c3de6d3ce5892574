import type { ChildProcess } from "node:child_process";
import type pg from "pg";
import { gatewayRole } from "#gateway/platform/database/embedded/cluster.ts";
import { newFolder } from "#gateway/testing/folder.ts";
import { clusterFolder } from "../platform/database/embedded/places.ts";
import { runningPostmaster, stopPostmaster } from "../platform/database/embedded/postmaster.ts";
import { makeAuthority } from "./certificates.ts";
import { call } from "./gateway.ts";
import { copyMigratedCluster } from "./migrated-cluster.ts";
import { answersSoon, endProgram, freePort, programOwner, spawnProgram } from "./program.ts";
import { type Receiver, startReceiver } from "./receiver.ts";

/**
 * Everything that the real program needs over several starts: data folder, port, a receiver that it may
 * reach.
 */
export interface ProgramScene {
  dataDir: string;
  /** Connects to the program's own PostgreSQL. */
  connection(): pg.ClientConfig;
  /** Ends in `/v1`. */
  url: string;
  receiver: Receiver;
  /** Starts the program, of another release's tree if one is given, without waiting for it. */
  spawn(release?: string): ChildProcess;
  /** Starts it and waits until it answers. */
  start(release?: string): Promise<ChildProcess>;
  /** Signs the owner in and makes an endpoint at the receiver. */
  signIn(): Promise<{ session: string; secret: string }>;
  call(bearer: string, method: string, path: string, body?: unknown): ReturnType<typeof call>;
  close(): Promise<void>;
}

/** With `isEmpty` the first start creates the database, as a start of an older release must. */
export async function programScene(
  environment: Record<string, string> = {},
  { isEmpty = false } = {},
): Promise<ProgramScene> {
  const dataDir = newFolder("program");
  if (!isEmpty) await copyMigratedCluster(dataDir);
  const authority = await makeAuthority(dataDir);
  const receiver = await startReceiver(authority.local);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/v1`;
  const started: ChildProcess[] = [];
  const spawn = (release?: string): ChildProcess => {
    const settings = {
      GATEHOUSE_DATA_DIR: dataDir,
      AUTH_SECRET: "a-secret-that-only-tests-know-0001",
      GATEWAY_PORT: String(port),
      WEBHOOK_ALLOW_CIDRS: "127.0.0.0/8",
      WEBHOOK_PORTS: String(receiver.port),
      WEBHOOK_CA_FILE: authority.caFile,
      ...environment,
    };
    const program = spawnProgram(settings, { release });
    started.push(program);
    return program;
  };
  const scene: ProgramScene = {
    dataDir,
    connection: () => ({
      host: runningPostmaster(clusterFolder(dataDir))?.socketDir ?? "",
      user: gatewayRole,
      database: gatewayRole,
    }),
    url,
    receiver,
    spawn,
    async start(release) {
      const program = spawn(release);
      if (!(await answersSoon(program))) throw new Error("the program ended before it answered");
      return program;
    },
    async signIn() {
      const { body } = await call(scene, null, "POST", "/account/sessions", programOwner);
      const session = String(body.token);
      const endpoint = await scene.call(session, "POST", "/webhooks/endpoints", { url: receiver.url });
      if (endpoint.status !== 201) throw new Error(JSON.stringify(endpoint.body));
      return { session, secret: String(endpoint.body.secret) };
    },
    call: (bearer, method, route, body) => call(scene, bearer, method, route, body),
    async close() {
      await Promise.all(started.map((program) => endProgram(program, "SIGTERM")));
      // A killed program leaves its server behind, for the next start to take over.
      const cluster = clusterFolder(dataDir);
      const left = runningPostmaster(cluster);
      if (left) await stopPostmaster(left.pid, cluster);
      await receiver.close();
    },
  };
  return scene;
}
