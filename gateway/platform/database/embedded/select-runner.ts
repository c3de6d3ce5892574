import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, symlinkSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { EmbeddedUnavailable, findBinaries } from "./binaries.ts";
import { clusterFolder, clusterLink, copyPrograms, moveFolder, publicFolder } from "./places.ts";
import { canRun, type Runner } from "./runner.ts";

/** Where cluster and programs go when the server's user cannot reach them: outside any private home. */
const systemFolder = "/var/lib/gatehouse";

type Place = Pick<Runner, "binaries" | "cluster" | "owner">;
type SystemUser = { uid: number; gid: number };

/**
 * The first way in which PostgreSQL, which refuses to run as root, runs on this machine:
 * as ourselves; as `postgres` or `nobody`; in a user namespace, in place; from a copy outside the checkout.
 */
export function selectRunner(dataDir: string): Runner {
  const owner = { uid: process.geteuid?.() ?? 0, gid: process.getegid?.() ?? 0 };
  const place: Place = { binaries: findBinaries(), cluster: clusterFolder(dataDir), owner };
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
    return null; // initdb looks up its user and fails without an entry
  }
  return { kind: "direct", prefix: [], ...place };
}

/** In place, in a user namespace where we have another id: the files stay ours. */
function namespace(place: Place): Runner | null {
  const nobody = findUser("nobody");
  if (process.platform !== "linux" || !nobody) return null;
  return { kind: "namespace", prefix: ["unshare", "--user", `--map-user=${nobody.uid}`, "--"], ...place };
}

/** Programs and cluster under systemFolder, the cluster linked from the data folder. */
function relocated(dataDir: string, place: Place, user: SystemUser): Runner | null {
  try {
    const cluster = place.cluster.startsWith(`${systemFolder}/`) ? place.cluster : moveOut(dataDir);
    publicFolder(path.dirname(cluster));
    const binaries = copyPrograms(place.binaries, path.join(path.dirname(cluster), "programs"));
    return { kind: "relocated", prefix: [], binaries, cluster, user, owner: user };
  } catch {
    return null; // perhaps a read-only system: the caller's error says what to do
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
