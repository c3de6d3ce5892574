import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import {
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { vi } from "vitest";
import { endProgram } from "../program.ts";
import type { Network, Place } from "./network.ts";

export const ports = { postgres: 5432, patroni: 8008, etcd: 2379, peers: 2380 } as const;
export const passwords = {
  superuser: "test-superuser",
  replication: "test-replication",
  rewind: "test-rewind",
};
const settings = path.resolve(import.meta.dirname, "../../../deploy/cluster/patroni.yml");
const startMs = 180_000;

/** One database node: etcd, Patroni and the PostgreSQL that Patroni runs. */
export interface DatabaseNode extends Place {
  /** `leader`, `sync_standby`, `replica`, … as its Patroni reports; null without an answer. */
  role(): Promise<string | null>;
  status(): Promise<PatroniStatus | null>;
  /** Ends Patroni and PostgreSQL as a power failure does; etcd stays. */
  kill(): Promise<void>;
  /** Starts Patroni again. */
  start(): void;
  /** Stops PostgreSQL from answering; with `all`, also Patroni and etcd. */
  freeze(all: boolean): void;
  thaw(): void;
  /** Cuts the node off from the network in both directions. */
  isolate(): void;
  rejoin(): void;
}

export interface Nodes {
  all: DatabaseNode[];
  leader(): Promise<DatabaseNode>;
  withRole(role: string): Promise<DatabaseNode>;
  /** Resolves when one node is the primary, the others follow it, and one of them may take its place. */
  areWell(): Promise<void>;
  patch(settings: object): Promise<void>;
  /** The last lines of etcd, Patroni and PostgreSQL, for a failed test. */
  logs(): string;
  close(): Promise<void>;
}

/** Starts three nodes with the settings of deploy/cluster; their files are in `folder`. */
export async function startNodes(network: Network, folder: string): Promise<Nodes> {
  const user = userId("postgres");
  const peers = network.places
    .map(({ name, address }) => `${name}=http://${address}:${ports.peers}`)
    .join(",");
  const etcdHosts = network.places.map(({ address }) => `${address}:${ports.etcd}`).join(",");
  const programs: ChildProcess[] = [];

  const nodes = network.places.map((place): DatabaseNode => {
    const { name, address, under } = place;
    const own = path.join(folder, name);
    mkdirSync(path.join(own, "config"), { recursive: true });
    // The same file as for operators, except for the socket's folder, because the nodes share a file system.
    copyFileSync(settings, path.join(own, "config", "0.yml"));
    const socket = `postgresql: { parameters: { unix_socket_directories: "${own}" } }\n`;
    writeFileSync(path.join(own, "config", "1.yml"), socket);
    chownSync(own, user.uid, user.gid);
    const log = openSync(path.join(own, "log"), "a");
    const run = (words: string[], env: Record<string, string>) => {
      const [command = "", ...rest] = [...under, ...words];
      const base = { PATH: `${process.env.PATH}:/usr/sbin:/sbin`, HOME: own, LC_ALL: "C.UTF-8" };
      const child = spawn(command, rest, {
        env: { ...base, NODE_ENV: "test", ...env },
        stdio: ["ignore", log, log],
      });
      programs.push(child);
      return child;
    };
    const url = (port: number) => `http://${address}:${port}`;
    const etcd = run(["setpriv", "--pdeathsig", "KILL", "etcd"], {
      ETCD_NAME: name,
      ETCD_DATA_DIR: path.join(own, "etcd"),
      ETCD_LISTEN_PEER_URLS: url(ports.peers),
      ETCD_LISTEN_CLIENT_URLS: url(ports.etcd),
      ETCD_ADVERTISE_CLIENT_URLS: url(ports.etcd),
      ETCD_INITIAL_ADVERTISE_PEER_URLS: url(ports.peers),
      ETCD_INITIAL_CLUSTER: peers,
      ETCD_INITIAL_CLUSTER_STATE: "new",
      ETCD_ENABLE_V2: "true",
    });
    const asPostgres = [
      "setpriv",
      "--reuid=postgres",
      "--regid=postgres",
      "--init-groups",
      "--pdeathsig=KILL",
    ];
    const data = path.join(own, "data");
    const startPatroni = () =>
      run([...asPostgres, "patroni", path.join(own, "config")], {
        PATRONI_NAME: name,
        PATRONI_RESTAPI_LISTEN: `${address}:${ports.patroni}`,
        PATRONI_RESTAPI_CONNECT_ADDRESS: `${address}:${ports.patroni}`,
        PATRONI_POSTGRESQL_LISTEN: `${address}:${ports.postgres}`,
        PATRONI_POSTGRESQL_CONNECT_ADDRESS: `${address}:${ports.postgres}`,
        PATRONI_POSTGRESQL_DATA_DIR: data,
        PATRONI_POSTGRESQL_PGPASS: path.join(own, "pgpass"),
        PATRONI_ETCD_HOSTS: etcdHosts,
        PATRONI_SUPERUSER_PASSWORD: passwords.superuser,
        PATRONI_REPLICATION_PASSWORD: passwords.replication,
        PATRONI_REWIND_PASSWORD: passwords.rewind,
      });
    let patroni = startPatroni();
    let frozen: number[] = [];
    const stop = (pids: number[]) => {
      frozen.push(...pids);
      signalAll(pids, "SIGSTOP");
    };
    const node: DatabaseNode = {
      ...place,
      async status() {
        const signal = AbortSignal.timeout(2_000);
        const answer = await fetch(`${url(ports.patroni)}/patroni`, { signal }).catch(() => null);
        return (await answer?.json().catch(() => null)) as PatroniStatus | null;
      },
      async role() {
        const said = await node.status();
        if (said?.state !== "running") return null;
        return said.sync_standby ? "sync_standby" : said.role;
      },
      async kill() {
        await endProgram(patroni, "SIGKILL");
        signalAll(postgresProcesses(data), "SIGKILL");
      },
      start() {
        patroni = startPatroni();
      },
      freeze(all) {
        stop(all ? [patroni.pid ?? 0, etcd.pid ?? 0, ...postgresProcesses(data)] : postgresProcesses(data));
      },
      thaw() {
        signalAll(frozen.toReversed(), "SIGCONT");
        frozen = [];
      },
      isolate: () => place.setLink("down"),
      rejoin: () => place.setLink("up"),
    };
    return node;
  });

  const findLeader = async () => {
    const roles = await Promise.all(nodes.map((node) => node.role()));
    return {
      roles,
      leaders: nodes.filter((_, index) => /^(master|leader|primary)$/.test(roles[index] ?? "")),
    };
  };
  const result: Nodes = {
    all: nodes,
    async leader() {
      return vi.waitUntil(async () => (await findLeader()).leaders[0], { interval: 200, timeout: startMs });
    },
    async withRole(role) {
      return vi.waitUntil(async () => nodes[(await findLeader()).roles.indexOf(role)], {
        interval: 200,
        timeout: startMs,
      });
    },
    async areWell() {
      await vi.waitUntil(
        async () => {
          const { roles, leaders } = await findLeader();
          return (
            leaders.length === 1 && roles.every((role) => role !== null) && (await isFollowed(leaders[0]))
          );
        },
        { interval: 500, timeout: startMs },
      );
    },
    async patch(change) {
      const { address } = await result.leader();
      const answer = await fetch(`http://${address}:${ports.patroni}/config`, {
        method: "PATCH",
        body: JSON.stringify(change),
      });
      if (!answer.ok) throw new Error(await answer.text());
    },
    logs: () =>
      nodes
        .map(({ name }) => `${name}:\n${readFileSync(path.join(folder, name, "log"), "utf8").slice(-20_000)}`)
        .join("\n\n"),
    async close() {
      for (const node of nodes) node.thaw();
      for (const program of programs) if (program.exitCode === null) program.kill("SIGKILL");
      for (const { name } of nodes) signalAll(postgresProcesses(path.join(folder, name, "data")), "SIGKILL");
    },
  };
  await result.areWell().catch((error: unknown) => {
    throw new Error(`The database nodes did not start:\n${result.logs()}`, { cause: error });
  });
  return result;
}

interface PatroniStatus {
  role: string;
  state: string;
  sync_standby?: boolean;
  replication?: { application_name: string; state: string; sync_state: string }[];
}

/**
 * Whether both other nodes follow this primary, and etcd names the node that confirms its commits. After a
 * change of the stand-by PostgreSQL accepts writes some seconds earlier, and until then no node may take
 * over.
 */
async function isFollowed(leader: DatabaseNode | undefined): Promise<boolean> {
  if (!leader) return false;
  const { replication = [] } = (await leader.status()) ?? {};
  const confirming = replication.find(({ sync_state }) => sync_state === "sync");
  const key = `http://${leader.address}:${ports.etcd}/v2/keys/service/gatehouse/sync`;
  const answer = await fetch(key, { signal: AbortSignal.timeout(2_000) }).catch(() => null);
  const { node } = ((await answer?.json().catch(() => null)) ?? {}) as { node?: { value: string } };
  const named = node && (JSON.parse(node.value) as { sync_standby: string | null }).sync_standby;
  return (
    replication.filter(({ state }) => state === "streaming").length === 2 &&
    confirming !== undefined &&
    confirming.application_name === named
  );
}

/** The server of this data folder and its children, the server first. */
function postgresProcesses(data: string): number[] {
  const file = path.join(data, "postmaster.pid");
  if (!existsSync(file)) return [];
  const pid = Number(readFileSync(file, "utf8").split("\n")[0]);
  if (!existsSync(`/proc/${pid}/cmdline`) || !readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(data))
    return [];
  let children = "";
  try {
    children = execFileSync("pgrep", ["-P", String(pid)], { encoding: "utf8" });
  } catch {
    // none
  }
  return [pid, ...children.split("\n").filter(Boolean).map(Number)];
}

function signalAll(pids: number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
    }
  }
}

function userId(name: string): { uid: number; gid: number } {
  const id = (flag: string) => Number(execFileSync("id", [flag, name], { encoding: "utf8" }));
  return { uid: id("-u"), gid: id("-g") };
}
