import { execFileSync, spawn } from "node:child_process";
import { chownSync, mkdirSync } from "node:fs";
import path from "node:path";
import pg from "pg";
import { vi } from "vitest";
import { endProgram, freePort } from "../../gateway/testing/program.ts";

export const postgresBin = "/usr/lib/postgresql/15/bin";
const asPostgres = ["--reuid=postgres", "--regid=postgres", "--init-groups", "--pdeathsig=KILL"];
const startMs = 60_000;

export interface DebianPostgres {
  /** The database address for the role that owns the gateway's database. */
  url(database: string): string;
  /** Runs a PostgreSQL program as its administrator. */
  run(program: string, ...words: string[]): void;
  close(): Promise<void>;
}

/** Debian's PostgreSQL 15 in its own folder, with a role `gatehouse`. */
export async function startDebianPostgres(parent: string): Promise<DebianPostgres> {
  const folder = path.join(parent, "postgres");
  mkdirSync(folder);
  const id = (flag: string) => Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8" }));
  chownSync(folder, id("-u"), id("-g"));
  const [data, port] = [path.join(folder, "data"), String(await freePort())];
  const run = (program: string, ...words: string[]) => {
    const environment = { ...process.env, PGHOST: folder, PGPORT: port, LC_ALL: "C.UTF-8" };
    execFileSync("setpriv", [...asPostgres, `${postgresBin}/${program}`, ...words], {
      env: environment,
      cwd: folder,
      stdio: ["ignore", "ignore", "inherit"],
    });
  };
  run("initdb", "-D", data, "-A", "trust", "-E", "UTF8", "--no-sync");
  const settings = { unix_socket_directories: folder, listen_addresses: "127.0.0.1", port, fsync: "off" };
  const words = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const server = spawn("setpriv", [...asPostgres, `${postgresBin}/postgres`, "-D", data, ...words], {
    stdio: "ignore",
    cwd: folder,
  });
  const close = () => endProgram(server, "SIGINT");
  try {
    await vi.waitFor(() => query(`postgres://postgres@127.0.0.1:${port}/postgres`, "select 1"), {
      timeout: startMs,
      interval: 100,
    });
    run("createuser", "gatehouse");
  } catch (error) {
    await close();
    throw error;
  }
  return { url: (database) => `postgres://gatehouse@127.0.0.1:${port}/${database}`, run, close };
}

async function query(connectionString: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  await client.query(sql).finally(() => client.end());
}
