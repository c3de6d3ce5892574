import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { mkdir } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import type { Logger } from "pino";
import { isDiskFull } from "#gateway/platform/core/data-folder.ts";
import { markNewFolder } from "#gateway/platform/core/listen-host.ts";
import { type RetrySchedule, retryWaitMs } from "#gateway/platform/core/retry-schedule.ts";
import { canEnter, canRun, commandOf, ensureCluster, gatewayRole, type Runner } from "./cluster.ts";
import {
  clusterFolder,
  clusterLink,
  copyPrograms,
  EmbeddedUnavailable,
  moveFolder,
  publicFolder,
} from "./places.ts";
import {
  type Claim,
  claimServer,
  disownRecycledPid,
  leftSocketFolder,
  type Postmaster,
  runningPostmaster,
  socketFolderPrefix,
  stopPostmaster,
} from "./postmaster.ts";
import { findPrograms, type Programs } from "./programs.ts";

/** How long a start waits until another program (a restart, a command) releases the data folder. */
const handoverTimeoutMs = 4_000;
const lookEveryMs = 100;

export interface EmbeddedServer {
  connection: { host: string; user: string; database: string };
  /** Called when the server has ended and cannot start again on a full disk. */
  diskIsFull: () => void;
  /** Stops the server if this process owns it; a borrowed one keeps running. */
  stop(): Promise<void>;
}

interface EmbeddedOptions {
  dataDir: string;
  log: Logger;
  /**
   * `own`: become the only gateway of this data folder; `borrow`: use the running server, or start one
   * temporarily.
   */
  mode: "own" | "borrow";
  /** The folder of newer programs to start the server with; null: where packages put them. */
  binDir?: string | null;
  /** The number of connections that the server must allow, if more than its default. */
  connections?: number;
  settings?: Record<string, string>;
  handoverMs?: number;
}

/**
 * Starts the PostgreSQL server of a data folder, or takes over the one that a killed gateway left running.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedServer> {
  await mkdir(options.dataDir, { recursive: true });
  const cluster = clusterFolder(options.dataDir);
  const running = runningPostmaster(cluster);
  if (options.mode === "borrow" && running?.ready)
    return { connection: connectionTo(running.socketDir), diskIsFull: () => {}, stop: async () => {} };
  const deadline = Date.now() + (options.handoverMs ?? handoverTimeoutMs);
  for (let look = 0; ; look += 1) {
    const holding = await hold(options);
    if (holding.claim) return supervise(options, holding.postmaster, holding.claim);
    if (Date.now() > deadline) throw new Error(holding.refusal);
    if (look === 0) options.log.warn(`waiting for the data folder: ${holding.refusal}`);
    await sleep(lookEveryMs);
  }
}

type Holding = { claim: Claim; postmaster: Postmaster } | { claim: null; refusal: string };

/** One attempt to start or find the server and become its owner. */
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

/** Starts the server with this machine's programs if they are newer and fit, otherwise with the bundled ones. */
async function launchFresh(options: EmbeddedOptions, keepSocketDir?: string): Promise<Postmaster | null> {
  const { installed, bundled, unused } = findPrograms(options.binDir ?? null);
  if (unused) options.log.warn(`POSTGRES_BIN_DIR is left alone: ${unused}`);
  if (installed)
    try {
      return await launchWith(installed, options, keepSocketDir);
    } catch (error) {
      options.log.warn(
        { err: error, programs: installed.folder },
        `PostgreSQL ${installed.version} of this machine cannot be used: starting the bundled ${bundled.version}`,
      );
    }
  return launchWith(bundled, options, keepSocketDir);
}

async function launchWith(
  programs: Programs,
  options: EmbeddedOptions,
  keepSocketDir: string | undefined,
): Promise<Postmaster | null> {
  const startedAt = performance.now();
  const runner = selectRunner(options.dataDir, programs);
  markNewFolder(options.dataDir);
  const made = await ensureCluster(runner);
  const left = leftSocketFolder(runner.cluster);
  if (left && left !== keepSocketDir) rmSync(left, { recursive: true, force: true });
  const socketDir = keepSocketDir ?? newSocketFolder(runner);
  try {
    const more = options.connections && { max_connections: String(options.connections) };
    const postmaster = await launch(runner, socketDir, { ...more, ...options.settings }, options.log);
    if (!programs.isBundled) await checkOrder(postmaster, runner.cluster);
    const durationMs = Math.round(performance.now() - startedAt);
    const { version, folder } = programs;
    const detail = {
      version,
      programs: folder,
      cluster: runner.cluster,
      runs: runner.kind,
      postmasterPid: postmaster.pid,
      durationMs,
    };
    options.log.info(detail, made === "made" ? "PostgreSQL created and started" : "PostgreSQL started");
    return postmaster;
  } catch (error) {
    if (!keepSocketDir) rmSync(socketDir, { recursive: true, force: true });
    if (error instanceof LaunchFailed && isPassing(error)) return null;
    throw error;
  }
}

/**
 * Stops the server, and throws, if its database sorts by anything but PostgreSQL's builtin locale: with other
 * programs that order may differ, and then an index is wrong.
 */
async function checkOrder({ pid, socketDir }: Postmaster, cluster: string): Promise<void> {
  const client = new pg.Client(connectionTo(socketDir));
  await client.connect();
  const { rows } = await client
    .query<{ encoding: string; provider: string }>(
      `select pg_encoding_to_char(encoding) as encoding, datlocprovider as provider
       from pg_database where datname = current_database()`,
    )
    .finally(() => client.end());
  if (rows[0]?.encoding === "UTF8" && rows[0].provider === "b") return;
  await stopPostmaster(pid, cluster);
  throw new Error("the database has another encoding than UTF8, or another locale than the builtin one");
}

/**
 * Whether a retry may succeed: another process was faster, or children of the last server are still exiting.
 */
function isPassing(error: LaunchFailed): boolean {
  return /lock file "[^"]*" already exists|shared memory block .* still in use/.test(error.message);
}

const startAgain: RetrySchedule = { firstMs: 100, factor: 2, maxMs: 5_000 };

/** Restarts the server when it exits unexpectedly. */
function supervise(options: EmbeddedOptions, first: Postmaster, firstClaim: Claim): EmbeddedServer {
  const { dataDir, log } = options;
  const { socketDir } = first;
  let claim = firstClaim;
  let postmaster = first;
  let stopping = false;
  const watch = () => void claim.lost.then(recover);
  async function recover(): Promise<void> {
    for (let failures = 1; !stopping; failures += 1) {
      const holding = await hold(options, socketDir).catch((error: unknown) => {
        log.error({ err: error }, "PostgreSQL exited and does not start again, will retry");
        if (isDiskFull(error)) server.diskIsFull();
        return null;
      });
      if (holding?.claim && holding.postmaster.socketDir === socketDir) {
        ({ claim, postmaster } = holding);
        return watch();
      }
      await sleep(retryWaitMs(startAgain, failures));
    }
  }
  const server: EmbeddedServer = {
    connection: connectionTo(socketDir),
    diskIsFull: () => {},
    async stop() {
      stopping = true;
      await stopPostmaster(postmaster.pid, clusterFolder(dataDir));
      await claim.release(); // Released last: otherwise another process would take over a stopping server.
      rmSync(socketDir, { recursive: true, force: true });
    },
  };
  watch();
  return server;
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

/**
 * A folder outside all home directories, for the cluster and the programs if the server's user cannot reach
 * them where they are.
 */
const systemFolder = "/var/lib/gatehouse";

type Place = Pick<Runner, "programs" | "cluster" | "owner">;
type SystemUser = { uid: number; gid: number };

/**
 * The first way that works on this machine to run PostgreSQL, which refuses to run as root:
 * as the current user; as `postgres` or `nobody`; in a user namespace, in place; from a copy outside the
 * checkout.
 */
export function selectRunner(dataDir: string, programs: Programs): Runner {
  const owner = { uid: process.geteuid?.() ?? 0, gid: process.getegid?.() ?? 0 };
  const place: Place = { programs, cluster: clusterFolder(dataDir), owner };
  const candidates =
    owner.uid === 0 ? rootCandidates(dataDir, place) : [() => direct(place), () => namespace(place)];
  for (const candidate of candidates) {
    const runner = candidate();
    if (runner && canRun(runner)) return runner;
  }
  throw new EmbeddedUnavailable(
    owner.uid === 0
      ? "PostgreSQL refuses to run as root, and no other user here can run it."
      : `PostgreSQL's programs do not start as user ${owner.uid} (does it have an entry in /etc/passwd?).`,
  );
}

function rootCandidates(dataDir: string, place: Place): (() => Runner | null)[] {
  const user = findUser("postgres") ?? findUser("nobody");
  return [
    () => user && { kind: "setuid", prefix: [], ...place, user, owner: user },
    () => namespace(place),
    () => user && relocated(dataDir, place, user),
  ];
}

function direct(place: Place): Runner | null {
  try {
    os.userInfo();
  } catch {
    return null; // initdb looks up its user and fails if /etc/passwd has no such user.
  }
  return { kind: "direct", prefix: [], ...place };
}

/** In place, in a user namespace with another user id, so that the files still belong to us. */
function namespace(place: Place): Runner | null {
  const nobody = findUser("nobody");
  if (process.platform !== "linux" || !nobody) return null;
  return { kind: "namespace", prefix: ["unshare", "--user", `--map-user=${nobody.uid}`, "--"], ...place };
}

/** Programs and cluster in systemFolder; the data folder links to the cluster. */
function relocated(dataDir: string, place: Place, user: SystemUser): Runner | null {
  try {
    const cluster = place.cluster.startsWith(`${systemFolder}/`) ? place.cluster : moveOut(dataDir);
    publicFolder(path.dirname(cluster));
    const { programs } = place;
    const folder = programs.isBundled
      ? copyPrograms(programs.folder, path.join(path.dirname(cluster), "programs"))
      : programs.folder;
    return { kind: "relocated", prefix: [], programs: { ...programs, folder }, cluster, user, owner: user };
  } catch {
    return null; // The file system may be read-only; the caller's error then says what to do.
  }
}

function moveOut(dataDir: string): string {
  const cluster = path.join(systemFolder, randomBytes(6).toString("hex"), "cluster");
  publicFolder(path.dirname(cluster));
  const link = clusterLink(dataDir);
  if (existsSync(link)) moveFolder(link, cluster);
  symlinkSync(cluster, link);
  return cluster;
}

function findUser(name: string): SystemUser | null {
  if (!existsSync("/etc/passwd")) return null;
  const lines = readFileSync("/etc/passwd", "utf8").split("\n");
  const [, , uid, gid] = lines.find((line) => line.startsWith(`${name}:`))?.split(":") ?? [];
  return uid && gid ? { uid: Number(uid), gid: Number(gid) } : null;
}

/** Long, because after a power loss the server replays its log first. */
const startTimeoutMs = 120_000;
const pollMs = 5;
/** How often a slow start logs what it waits for. */
const tellMs = 5_000;
/** The longest path of a socket; macOS has the lowest limit. */
const socketPathMax = 103;
const logMaxBytes = 5_000_000;
const logTailCharacters = 1_500;

const serverSettings = {
  listen_addresses: "",
  unix_socket_permissions: "0700",
  shared_buffers: "64MB",
  // Keeps shared memory in files of the cluster's folder: a container's `/dev/shm` may be too small, and
  // files left there by a killed server would remain.
  dynamic_shared_memory_type: "mmap",
  max_connections: "50",
  jit: "off",
  io_method: "sync",
  autovacuum_naptime: "10s",
  timezone: "UTC",
  log_timezone: "UTC",
};

/** The server exited during its start; `log` is the end of its output. */
class LaunchFailed extends Error {
  constructor(log: string) {
    super(`the embedded PostgreSQL did not start:\n${log}`);
  }
}

/** Starts the server on its cluster and waits until it accepts connections. */
export async function launch(
  runner: Runner,
  socketDir: string,
  settings: Record<string, string> = {},
  log?: Logger,
): Promise<Postmaster> {
  disownRecycledPid(runner.cluster);
  makeSocketFolder(socketDir, runner);
  const logFile = `${runner.cluster}.log`;
  const output = openLog(logFile);
  const flags = Object.entries({ ...serverSettings, ...settings }).flatMap(([name, value]) => [
    "-c",
    `${name}=${value}`,
  ]);
  const { command, args, options } = commandOf(runner, "postgres", [
    "-D",
    runner.cluster,
    "-k",
    socketDir,
    ...flags,
  ]);
  // Detached, because Ctrl-C in the terminal must reach only the gateway, which stops the server last.
  const child = spawn(command, args, {
    ...options,
    detached: true,
    stdio: ["ignore", output.file, output.file],
  });
  closeSync(output.file);
  let ended = false;
  child.on("error", () => (ended = true));
  child.on("exit", () => (ended = true));
  child.unref();
  const deadline = Date.now() + startTimeoutMs;
  let tellAt = Date.now() + tellMs;
  while (!ended && Date.now() < deadline) {
    const postmaster = runningPostmaster(runner.cluster);
    if (postmaster?.ready && postmaster.pid === child.pid) return postmaster;
    if (Date.now() > tellAt) {
      tellAt += tellMs;
      const said = readFileSync(logFile, "utf8").trimEnd().split("\n").at(-1);
      log?.warn({ said }, "waiting for PostgreSQL to start; after a kill it replays its log first");
    }
    await sleep(pollMs);
  }
  child.kill("SIGINT");
  throw new LaunchFailed(readFileSync(logFile, "utf8").slice(output.start).slice(-logTailCharacters).trim());
}

/** Creates a private folder for the server's socket that its user can enter. */
export function newSocketFolder(runner: Runner): string {
  const parents = [os.tmpdir(), "/tmp"].filter(
    (parent) => existsSync(parent) && canEnter(parent, runner.user) && fits(parent),
  );
  return mkdtempSync(path.join(parents[0] ?? os.tmpdir(), socketFolderPrefix));
}

function fits(parent: string): boolean {
  return path.join(parent, `${socketFolderPrefix}XXXXXX`, ".s.PGSQL.5432.lock").length <= socketPathMax;
}

function makeSocketFolder(folder: string, runner: Runner): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (statSync(folder).uid !== runner.owner.uid) chownSync(folder, runner.owner.uid, runner.owner.gid);
}

/** A file instead of a pipe, because the server may outlive this process. */
function openLog(file: string): { file: number; start: number } {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  const tooLong = size > logMaxBytes;
  return { file: openSync(file, tooLong ? "w" : "a", 0o600), start: tooLong ? 0 : size };
}
