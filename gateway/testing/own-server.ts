import { spawnSync } from "node:child_process";
import { chmodSync, chownSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import pg from "pg";
import { ensureCluster, gatewayRole, superuser } from "#gateway/platform/database/embedded/cluster.ts";
import { launch, newSocketFolder, selectRunner } from "#gateway/platform/database/embedded/embedded.ts";
import { newFolder } from "#gateway/testing/folder.ts";
import { stopPostmaster } from "../platform/database/embedded/postmaster.ts";
import { bundledPrograms } from "../platform/database/embedded/programs.ts";

/** A PostgreSQL server for one test, without a supervisor, so that the test can stop it. */
export interface OwnServer {
  /** For DATABASE_URL. */
  url: string;
  socketDir: string;
  /** Its log. */
  log(): string;
  /** Stops it as an operator does, which cuts connections. */
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Keeps its connections but stops answering. */
  freeze(): void;
  thaw(): void;
  /** Restarts it as a stand-by, as a cluster does with a former primary. */
  demote(): Promise<void>;
  /** Makes a stand-by the primary. */
  promote(): Promise<void>;
  remove(): Promise<void>;
}

export async function startOwnServer(settings: Record<string, string> = {}): Promise<OwnServer> {
  const dataDir = newFolder("server");
  chmodSync(dataDir, 0o755); // The root user hands the server to another user, who must be able to enter the folder.
  const runner = selectRunner(dataDir, bundledPrograms());
  await ensureCluster(runner);
  const socketDir = newSocketFolder(runner);
  const start = () => launch(runner, socketDir, { fsync: "off", ...settings });
  let { pid } = await start();
  let isFrozen = false;
  const signal = (name: "SIGSTOP" | "SIGCONT") => {
    isFrozen = name === "SIGSTOP";
    const children = spawnSync("pgrep", ["-P", String(pid)], { encoding: "utf8" });
    if (children.error) throw children.error;
    // The postmaster is stopped first, so that it starts no more processes.
    for (const one of [pid, ...children.stdout.split("\n").filter(Boolean).map(Number)])
      signalIfThere(one, name);
  };
  const server: OwnServer = {
    url: `postgres://${gatewayRole}@localhost/${gatewayRole}?host=${encodeURIComponent(socketDir)}`,
    socketDir,
    log: () => readFileSync(`${runner.cluster}.log`, "utf8"),
    stop: () => stopPostmaster(pid, runner.cluster),
    async start() {
      ({ pid } = await start());
    },
    freeze: () => signal("SIGSTOP"),
    thaw: () => signal("SIGCONT"),
    async demote() {
      await server.stop();
      const file = path.join(runner.cluster, "standby.signal");
      writeFileSync(file, "");
      chownSync(file, runner.owner.uid, runner.owner.gid);
      await server.start();
    },
    async promote() {
      const client = new pg.Client({ host: socketDir, user: superuser, database: "postgres" });
      await client.connect();
      await client.query("select pg_promote()").finally(() => client.end());
    },
    async remove() {
      if (isFrozen) server.thaw();
      await server.stop();
      rmSync(socketDir, { recursive: true, force: true });
    },
  };
  return server;
}

/** Some processes end between the list and the signal. */
function signalIfThere(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
