import { rmSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import { markNewFolder } from "#gateway/platform/core/listen-host.ts";
import { ensureCluster, gatewayRole } from "./cluster.ts";
import { LaunchFailed, launch, newSocketFolder } from "./launch.ts";
import { type Claim, claimServer } from "./owner.ts";
import { clusterFolder } from "./places.ts";
import { leftSocketFolder, type Postmaster, runningPostmaster, stopPostmaster } from "./postmaster.ts";
import { selectRunner } from "./select-runner.ts";

/** How long a start waits for another program to release the data folder (a restart, a command). */
const handoverTimeoutMs = 4_000;
const retryMs = 100;
const restartMaxMs = 5_000;

export interface EmbeddedServer {
  connection: { host: string; user: string; database: string };
  /** Stops the server if this process owns it; a borrowed one keeps running. */
  stop(): Promise<void>;
}

export interface EmbeddedOptions {
  dataDir: string;
  log: Logger;
  /** `own`: be the only gateway of this data folder; `borrow`: use the running server, or start one temporarily. */
  mode: "own" | "borrow";
  /** How many connections it must admit, if more than usual. */
  connections?: number;
  settings?: Record<string, string>;
  handoverMs?: number;
}

/** Starts the PostgreSQL of a data folder, or takes over the one that a killed gateway left running. */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedServer> {
  await mkdir(options.dataDir, { recursive: true });
  const cluster = clusterFolder(options.dataDir);
  const running = runningPostmaster(cluster);
  if (options.mode === "borrow" && running?.ready)
    return { connection: connectionTo(running.socketDir), stop: async () => {} };
  const deadline = Date.now() + (options.handoverMs ?? handoverTimeoutMs);
  for (let look = 0; ; look += 1) {
    const holding = await hold(options);
    if (holding.claim) return supervise(options, holding.postmaster, holding.claim);
    if (Date.now() > deadline) throw new Error(holding.refusal);
    if (look === 0) options.log.warn(`waiting for the data folder: ${holding.refusal}`);
    await sleep(retryMs);
  }
}

type Holding = { claim: Claim; postmaster: Postmaster } | { claim: null; refusal: string };

/** One attempt to start or find the server and to become its owner. */
async function hold(options: EmbeddedOptions, keepSocketDir?: string): Promise<Holding> {
  const orphan = runningPostmaster(clusterFolder(options.dataDir));
  const postmaster = orphan ?? (await launchFresh(options, keepSocketDir));
  if (!postmaster?.ready)
    return {
      claim: null,
      refusal: `Another program is starting PostgreSQL on ${options.dataDir}. Try again in a moment.`,
    };
  const claim = await claimServer(connectionTo(postmaster.socketDir));
  if (claim.state === "held") return { claim: null, refusal: inUse(options.dataDir, claim.holder) };
  if (claim.state === "silent")
    return {
      claim: null,
      refusal: `PostgreSQL (process ${postmaster.pid}) runs on ${options.dataDir}, but does not answer: ${claim.reason}`,
    };
  if (claim.state === "gone") {
    options.log.warn(
      { postmasterPid: postmaster.pid },
      "the PostgreSQL that was left running has lost its socket: stopping it",
    );
    await stopPostmaster(postmaster.pid, clusterFolder(options.dataDir));
    return hold(options, keepSocketDir);
  }
  if (orphan && claim.connections < (options.connections ?? 0)) {
    options.log.info(
      { postmasterPid: orphan.pid },
      "restarting the PostgreSQL that was left running, for more connections",
    );
    await stopPostmaster(orphan.pid, clusterFolder(options.dataDir));
    await claim.release();
    return hold(options, keepSocketDir);
  }
  if (orphan)
    options.log.info(
      { postmasterPid: orphan.pid },
      "took over the PostgreSQL that an earlier gateway left running",
    );
  return { claim, postmaster };
}

async function launchFresh(options: EmbeddedOptions, keepSocketDir?: string): Promise<Postmaster | null> {
  const startedAt = performance.now();
  const runner = selectRunner(options.dataDir);
  markNewFolder(options.dataDir);
  const made = await ensureCluster(runner);
  const left = leftSocketFolder(runner.cluster);
  if (left && left !== keepSocketDir) rmSync(left, { recursive: true, force: true });
  const socketDir = keepSocketDir ?? newSocketFolder(runner);
  try {
    const more = options.connections && { max_connections: String(options.connections) };
    const postmaster = await launch(runner, socketDir, { ...more, ...options.settings }, options.log);
    const durationMs = Math.round(performance.now() - startedAt);
    const detail = { cluster: runner.cluster, runs: runner.kind, postmasterPid: postmaster.pid, durationMs };
    options.log.info(detail, made === "made" ? "PostgreSQL created and started" : "PostgreSQL started");
    return postmaster;
  } catch (error) {
    if (!keepSocketDir) rmSync(socketDir, { recursive: true, force: true });
    if (error instanceof LaunchFailed && isPassing(error)) return null;
    throw error;
  }
}

/** Whether another process was quicker, or the last server's children are still exiting. */
function isPassing(error: LaunchFailed): boolean {
  return /lock file "[^"]*" already exists|shared memory block .* still in use/.test(error.message);
}

/** Restarts the server when it exits unexpectedly. */
function supervise(options: EmbeddedOptions, first: Postmaster, firstClaim: Claim): EmbeddedServer {
  const { dataDir, log } = options;
  const { socketDir } = first;
  let claim = firstClaim;
  let postmaster = first;
  let stopping = false;
  const watch = () => void claim.lost.then(recover);
  async function recover(): Promise<void> {
    for (let waitMs = retryMs; !stopping; waitMs = Math.min(waitMs * 2, restartMaxMs)) {
      const holding = await hold(options, socketDir).catch((error: unknown) => {
        log.error({ err: error }, "PostgreSQL exited and does not start again, will retry");
        return null;
      });
      if (holding?.claim && holding.postmaster.socketDir === socketDir) {
        ({ claim, postmaster } = holding);
        return watch();
      }
      await sleep(waitMs);
    }
  }
  watch();
  return {
    connection: connectionTo(socketDir),
    async stop() {
      stopping = true;
      await stopPostmaster(postmaster.pid, clusterFolder(dataDir));
      await claim.release(); // only now: otherwise another process takes over a server that is about to stop
      rmSync(socketDir, { recursive: true, force: true });
    },
  };
}

function connectionTo(socketDir: string) {
  return { host: socketDir, user: gatewayRole, database: gatewayRole };
}

function inUse(dataDir: string, holder: string): string {
  return (
    `The data folder ${dataDir} is in use by another gateway (${holder}). ` +
    "Stop it first, or give this one its own GATEHOUSE_DATA_DIR, or share one database with DATABASE_URL."
  );
}
