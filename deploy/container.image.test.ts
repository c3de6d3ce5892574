import { type ChildProcess, execFile, spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { freePort } from "../gateway/testing/program.ts";
import { succeeds } from "../scripts/install/apt.ts";
import { needPrograms } from "./testing/debian.ts";

const run = promisify(execFile);
const checkout = path.resolve(import.meta.dirname, "..");
/** Debian's package sources of this machine, so that the image uses the same mirror. */
const sources = ["/etc/apt/sources.list.d/debian.sources", "/etc/apt/sources.list"].filter(existsSync);
const buildMs = 1_080_000;
const startMs = 180_000;
/** The id of the user `node` in the image. */
const userId = "1000";
/** Replaces `node:26-bookworm-slim`: Debian with the Node and npm of this checkout and machine, and the library that Node needs. */
const baseFile = `
FROM scratch
ADD root.tar /
COPY node /usr/local/bin/node
COPY npm /usr/local/lib/node_modules/npm
COPY authorities.pem /etc/ssl/authorities.pem
ENV NODE_EXTRA_CA_CERTS=/etc/ssl/authorities.pem
RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm \\
 && ln -s ../lib/node_modules/npm/bin/npx-cli.js /usr/local/bin/npx
`;

let folder: string;
/** Copies the whole image for each layer, for file systems that do not support overlays. */
let usable = "vfs";
/** Ends a build that is still running when the test ends. */
const building = new AbortController();
let program: ChildProcess | undefined;

beforeAll(() => {
  needPrograms({ buildah: "buildah", mmdebstrap: "mmdebstrap" });
  folder = mkdtempSync(path.join(os.tmpdir(), "image-"));
  if (succeeds("buildah", [...storage("overlay"), "info"], "ignore")) usable = "overlay";
}, buildMs);
afterAll(async () => {
  building.abort();
  if (program?.pid) process.kill(-program.pid, "SIGKILL");
  await run("buildah", [...storage(), "rm", "--all"]);
  await run("buildah", [...storage(), "rmi", "--all", "--force"]);
  rmSync(folder, { recursive: true, force: true });
}, startMs);

it(
  "the image is built without a registry or development dependencies, and runs gateway and console as a user of its own",
  async () => {
    await makeBase();
    // Reuses the packages that npm has downloaded on this machine.
    const cache = (await run("npm", ["config", "get", "cache"])).stdout.trim();
    mkdirSync(cache, { recursive: true });
    const build = ["bud", "--isolation", "chroot", "--volume", `${cache}:/root/.npm`];
    const from = ["--build-arg", "BASE_IMAGE=localhost/base", "-f", "deploy/Dockerfile"];
    await buildah(...build, ...from, "-t", "gatehouse", ".");

    const container = await buildah("from", "--pull-never", "gatehouse");
    const ports = { GATEWAY_PORT: String(await freePort()), PORT: String(await freePort()) };
    const environment = Object.entries(ports).flatMap(([name, value]) => ["--env", `${name}=${value}`]);
    const inside = ["run", "--isolation", "chroot", ...environment, container, "--"];
    program = spawn("buildah", [...storage(), ...inside, "npm", "start"], { detached: true });
    const output: string[] = [];
    for (const stream of [program.stdout, program.stderr])
      stream?.on("data", (text: Buffer) => output.push(text.toString()));
    await vi.waitFor(() => expect(output.join("")).toContain("Console ready"), {
      timeout: startMs,
      interval: 200,
    });
    const packages = (
      await buildah("run", "--isolation", "chroot", container, "--", "ls", "node_modules")
    ).split("\n");
    expect(packages).toContain("fastify");
    for (const development of ["node", "typescript", "vitest"]) expect(packages).not.toContain(development);
    expect((await run("pgrep", ["-u", userId, "-f", "gateway/main.ts"])).stdout).not.toBe("");
    expect((await fetch(`http://127.0.0.1:${ports.GATEWAY_PORT}/readyz`)).status).toBe(200);
    expect((await fetch(`http://127.0.0.1:${ports.PORT}/sign-in`)).status).toBe(200);
  },
  buildMs,
);

async function makeBase(): Promise<void> {
  const context = path.join(folder, "base");
  mkdirSync(context);
  const debian = ["--mode=root", "--variant=minbase", "--include=ca-certificates,libatomic1", "bookworm"];
  await run("mmdebstrap", [...debian, path.join(context, "root.tar"), ...sources.slice(0, 1)]);
  const npm = realpathSync((await run("sh", ["-c", "command -v npm"])).stdout.trim());
  cpSync(path.resolve(npm, "../.."), path.join(context, "npm"), { recursive: true });
  cpSync(process.execPath, path.join(context, "node"));
  // If this machine reaches npm's registry with its own certificate authority, the image needs the authority
  // too.
  cpSync(
    process.env.NODE_EXTRA_CA_CERTS ?? "/etc/ssl/certs/ca-certificates.crt",
    path.join(context, "authorities.pem"),
    {
      dereference: true,
    },
  );
  writeFileSync(path.join(context, "Dockerfile"), baseFile);
  await buildah("bud", "--isolation", "chroot", "-t", "localhost/base", context);
}

async function buildah(...words: string[]): Promise<string> {
  const { stdout } = await run("buildah", [...storage(), ...words], {
    maxBuffer: 1e8,
    cwd: checkout,
    signal: building.signal,
  });
  return stdout.trim();
}

/** The storage is inside the test's folder, so that nothing stays on the machine. */
function storage(driver = usable): string[] {
  const places = ["--root", path.join(folder, "storage"), "--runroot", path.join(folder, "run")];
  return [...places, "--storage-driver", driver];
}
