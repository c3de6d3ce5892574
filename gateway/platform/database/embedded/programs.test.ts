import {
  chmodSync,
  chownSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import pg from "pg";
import { pino } from "pino";
import { beforeEach, expect, it } from "vitest";
import { newFolder } from "#gateway/testing/folder.ts";
import { copyMigratedCluster } from "#gateway/testing/migrated-cluster.ts";
import { superuser } from "./cluster.ts";
import { startEmbedded } from "./embedded.ts";
import { copyPrograms } from "./places.ts";
import { bundledPrograms, findPrograms } from "./programs.ts";

const bundled = bundledPrograms();
let folder: string;

beforeEach(() => {
  folder = realpathSync(newFolder("programs"));
  chmodSync(folder, 0o755);
});

/** Two programs that only report their version. */
function programs(version: string): string {
  for (const name of ["postgres", "initdb"])
    writeFileSync(path.join(folder, name), `#!/bin/sh\necho '${name} (PostgreSQL) ${version}'\n`, {
      mode: 0o755,
    });
  return folder;
}

/** A copy of the bundled programs that reports 18.6: every string with the version is changed. */
function newerCopy(): string {
  const copy = copyPrograms(bundled.folder, folder);
  for (const name of ["postgres", "initdb"]) {
    const bytes = readFileSync(path.join(copy, name));
    const text = bytes.toString("latin1").replaceAll(/(QL\)? )18\.4/g, "$118.6");
    rmSync(path.join(copy, name)); // It may be a hard link to the original.
    writeFileSync(path.join(copy, name), Buffer.from(text, "latin1"), { mode: 0o755 });
  }
  return copy;
}

/** Programs in a folder with the second mode, below one with the first. */
function below(mode: number, ofBin = 0o755): string {
  const above = path.join(folder, "above");
  const bin = path.join(above, "bin");
  mkdirSync(bin, { recursive: true });
  for (const name of ["postgres", "initdb"])
    renameSync(path.join(programs("18.99"), name), path.join(bin, name));
  chmodSync(above, mode);
  chmodSync(bin, ofBin);
  return bin;
}

it("takes programs below a shared folder like /tmp, and follows a link to them", () => {
  const bin = below(0o1777);
  const link = path.join(folder, "link");
  symlinkSync(bin, link);
  expect(findPrograms(link).installed).toEqual({ folder: bin, version: "18.99", isBundled: false });
});

it.runIf(process.geteuid?.() === 0)(
  "refuses a shared folder above whose next folder is another user's",
  () => {
    const bin = below(0o1777);
    chownSync(bin, 12_345, 12_345);
    expect(() => findPrograms(bin)).toThrow(/bin belongs neither to root nor to this user/);
  },
);

it("takes a newer minor release of the same major version, also with a packager's suffix", () => {
  const folder = programs("18.99 (Debian 18.99-1.pgdg13+1)");
  expect(findPrograms(folder)).toEqual({
    installed: { folder, version: "18.99", isBundled: false },
    bundled,
  });
});

it.each<[string, () => string, RegExp]>([
  ["another major version", () => programs("17.99"), /PostgreSQL 17\.99, and the data need 18/],
  ["a missing folder", () => path.join(folder, "none"), /none is missing/],
  ["a relative path", () => "bin", /bin is not an absolute path/],
  [
    "programs that every user can change",
    () => {
      chmodSync(path.join(programs("18.99"), "initdb"), 0o777);
      return folder;
    },
    /every user can change .*initdb/,
  ],
  [
    "programs that a group can change",
    () => {
      chmodSync(path.join(programs("18.99"), "postgres"), 0o775);
      return folder;
    },
    /its group can change .*postgres/,
  ],
  ["a folder above that every user can change", () => below(0o777), /every user can change .*above/],
  ["a folder above that a group can change", () => below(0o775), /its group can change .*above/],
  ["a shared folder of programs", () => below(0o755, 0o1777), /every user can change .*bin/],
])("refuses POSTGRES_BIN_DIR with %s", (_, make, problem) => {
  expect(() => findPrograms(make())).toThrow(problem);
});

it.each([
  ["no newer release", bundled.version, /no newer than the bundled/],
  ["programs that do not start", "'; exit 1 #", /postgres does not start/],
])(
  "starts the bundled programs if POSTGRES_BIN_DIR has %s, which an update may bring about",
  (_, version, why) => {
    expect(findPrograms(programs(version))).toEqual({
      installed: null,
      bundled,
      unused: expect.stringMatching(why),
    });
  },
);

it.runIf(process.geteuid?.() === 0)("refuses programs of another user", () => {
  chownSync(path.join(programs("18.99"), "postgres"), 12_345, 12_345);
  expect(() => findPrograms(folder)).toThrow(/postgres belongs neither to root nor to this user/);
});

it("serves the cluster with the newer programs, and with the bundled ones if those do not fit", async () => {
  const binDir = newerCopy();
  const dataDir = path.join(folder, "data");
  mkdirSync(dataDir);
  await copyMigratedCluster(dataDir);
  const logged: string[] = [];
  const log = pino({ level: "info" }, { write: (line) => void logged.push(line) });
  const server = () => startEmbedded({ dataDir, log, mode: "own", settings: { fsync: "off" }, binDir });
  const ask = async (text: string, user = superuser) => {
    const started = await server();
    const client = new pg.Client({ ...started.connection, user });
    await client.connect();
    const { rows } = await client.query(text).finally(() => client.end());
    await started.stop();
    return rows;
  };
  expect(await ask("show server_version")).toEqual([{ server_version: "18.6" }]);
  expect(JSON.parse(logged.at(-1) ?? "")).toMatchObject({ version: "18.6", programs: binDir });

  await ask("update pg_database set datlocprovider = 'c', datlocale = null, datcollversion = null");
  expect(await ask("show server_version")).toEqual([{ server_version: bundled.version }]);
  expect(logged.join("")).toMatch(/another locale.*PostgreSQL 18\.6 of this machine cannot be used/);
});
