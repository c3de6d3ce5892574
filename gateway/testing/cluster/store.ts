import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener, request as send } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, connect } from "node:net";
import path from "node:path";
import { CreateBucketCommand, GetObjectCommand, ListObjectsV2Command, S3Client } from "@aws-sdk/client-s3";
import { vi } from "vitest";
import type { Certificate } from "../certificates.ts";
import { endProgram, freePort } from "../program.ts";

const bucket = "media";
const user = { id: "test:tester", secret: "testing" };
const servers = { account: 6202, container: 6201, object: 6200 } as const;
const nodes = [1, 2, 3];
const startMs = 60_000;

/** OpenStack Swift with its S3 interface: three storage nodes, each with a copy of everything. */
export interface Store {
  /** Settings of a gateway that uses it. */
  settings: Record<string, string>;
  /** How many of the next PUTs end in a broken connection. */
  putsToBreak: number;
  /** The server that clients use is killed after this many bytes of a PUT; null: never. */
  stopsAfterBytes: number | null;
  /** Starts that server again. */
  startAgain(): Promise<void>;
  /** The bytes of an object. */
  read(key: string): Promise<Uint8Array>;
  /** The key of every object. */
  keys(): Promise<string[]>;
  /** Ends a storage node without warning. */
  loseNode(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Starts it on its own loopback addresses, with https if a certificate is given. Swift reads `/etc/swift`, so
 * each of its programs has a mount namespace, which only root can make.
 */
export async function startStore(folder: string, certificate?: Certificate): Promise<Store> {
  const settings = path.join(folder, "etc");
  mkdirSync(settings, { recursive: true });
  const programs: ChildProcess[] = [];
  const log = openSync(path.join(folder, "log"), "a");
  const run = (command: string, ...words: string[]) => {
    const mounted = ["unshare", "--mount", "sh", "-c", 'mount --bind "$0" /etc/swift && exec "$@"', settings];
    const line = ["--pdeathsig", "KILL", ...mounted, command, ...words];
    const child = spawn("setpriv", line, { stdio: ["ignore", log, log] });
    programs.push(child);
    return child;
  };
  const [port, memoryPort] = [await freePort(), await freePort()];
  write(settings, "swift.conf", {
    "swift-hash": { swift_hash_path_suffix: "test", swift_hash_path_prefix: "test" },
    "storage-policy:0": { name: "whole", default: "yes" },
  });
  for (const kind of kinds()) makeRing(settings, kind);
  run("memcached", "-u", "nobody", "-l", "127.0.0.1", "-p", String(memoryPort));
  const ofNode = nodes.map((node) =>
    kinds().map((kind) => run(`swift-${kind}-server`, storageServer(folder, settings, kind, node))),
  );
  // The proxy avoids a node for a while after a few refusals.
  for (const node of nodes)
    for (const kind of kinds())
      await vi.waitUntil(() => accepts(addressOf(node), servers[kind]), {
        ...{ interval: 100, timeout: startMs },
      });
  write(settings, "proxy.conf", {
    DEFAULT: { ...common, bind_ip: "127.0.0.1", bind_port: port },
    "pipeline:main": {
      pipeline: "catch_errors gatekeeper cache listing_formats bulk s3api tempauth slo proxy-server",
    },
    "app:proxy-server": {
      use: "egg:swift#proxy",
      account_autocreate: "true",
      conn_timeout: 1,
      node_timeout: 5,
      error_suppression_interval: 2,
    },
    ...Object.fromEntries(
      ["catch_errors", "gatekeeper", "listing_formats", "bulk", "slo"].map((filter) => [
        `filter:${filter}`,
        { use: `egg:swift#${filter}` },
      ]),
    ),
    "filter:cache": { use: "egg:swift#memcache", memcache_servers: `127.0.0.1:${memoryPort}` },
    "filter:tempauth": { use: "egg:swift#tempauth", user_test_tester: `${user.secret} .admin` },
    "filter:s3api": { use: "egg:swift#s3api", location: "us-east-1" },
  });
  const startServer = () => run("swift-proxy-server", path.join(settings, "proxy.conf"));
  let server = startServer();

  const line = await breakableLine(port, certificate);
  line.stop = () => server.kill("SIGKILL");
  const client = new S3Client({
    ...{ endpoint: `http://127.0.0.1:${port}`, region: "us-east-1", forcePathStyle: true },
    credentials: { accessKeyId: user.id, secretAccessKey: user.secret },
  });
  const makeBucket = () => client.send(new CreateBucketCommand({ Bucket: bucket }));
  await vi.waitFor(makeBucket, { interval: 200, timeout: startMs }).catch((cause: unknown) => {
    const said = readFileSync(path.join(folder, "log"), "utf8").slice(-5_000);
    throw new Error(`The store did not start:\n${said}`, { cause });
  });
  return {
    settings: {
      ...{ S3_BUCKET: bucket, S3_ENDPOINT: line.origin },
      ...{ AWS_ACCESS_KEY_ID: user.id, AWS_SECRET_ACCESS_KEY: user.secret },
    },
    get putsToBreak() {
      return line.putsToBreak;
    },
    set putsToBreak(count) {
      line.putsToBreak = count;
    },
    get stopsAfterBytes() {
      return line.stopsAfterBytes;
    },
    set stopsAfterBytes(count) {
      line.stopsAfterBytes = count;
    },
    async startAgain() {
      server = startServer();
      await vi.waitUntil(() => accepts("127.0.0.1", port), { interval: 100, timeout: startMs });
    },
    async read(key) {
      const { Body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: key }));
      return (await Body?.transformToByteArray()) ?? new Uint8Array();
    },
    async keys() {
      const keys: string[] = [];
      let next: string | undefined;
      do {
        const page = await client.send(new ListObjectsV2Command({ Bucket: bucket, ContinuationToken: next }));
        keys.push(...(page.Contents ?? []).map(({ Key = "" }) => Key));
        next = page.NextContinuationToken;
      } while (next !== undefined);
      return keys;
    },
    async loseNode() {
      await Promise.all((ofNode.at(-1) ?? []).map((server) => endProgram(server, "SIGKILL")));
    },
    async close() {
      client.destroy();
      line.close();
      await Promise.all(programs.map((program) => endProgram(program, "SIGKILL")));
    },
  };
}

type Kind = keyof typeof servers;
const kinds = () => Object.keys(servers) as Kind[];
const addressOf = (node: number) => `127.0.1.${node}`;
const common = { user: "root", workers: 0, log_level: "ERROR" };

/** The ring assigns each object to all of the nodes. */
function makeRing(settings: string, kind: Kind): void {
  const builder = (...words: string[]) =>
    execFileSync("swift-ring-builder", [`${kind}.builder`, ...words], { cwd: settings, stdio: "ignore" });
  builder("create", "4", String(nodes.length), "0");
  for (const node of nodes) builder("add", `r1z${node}-${addressOf(node)}:${servers[kind]}/disk`, "1");
  builder("rebalance");
}

/** Writes the settings of one server of a node and returns their file. */
function storageServer(folder: string, settings: string, kind: Kind, node: number): string {
  const devices = path.join(folder, `node${node}`);
  mkdirSync(path.join(devices, "disk"), { recursive: true });
  return write(settings, `${kind}-${node}.conf`, {
    DEFAULT: {
      ...common,
      ...{ bind_ip: addressOf(node), bind_port: servers[kind] },
      ...{ devices, mount_check: "false" },
    },
    "pipeline:main": { pipeline: `${kind}-server` },
    [`app:${kind}-server`]: { use: `egg:swift#${kind}` },
  });
}

function write(folder: string, name: string, sections: Record<string, Record<string, unknown>>): string {
  const lines = Object.entries(sections).flatMap(([section, values]) => [
    `[${section}]`,
    ...Object.entries(values).map(([key, value]) => `${key} = ${value}`),
  ]);
  const file = path.join(folder, name);
  writeFileSync(file, `${lines.join("\n")}\n`);
  return file;
}

/** Whether a server accepts connections there. */
function accepts(host: string, port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect(port, host, () => resolve(true));
  socket.on("error", () => resolve(false));
  return promise.finally(() => socket.destroy());
}

/** A proxy to the server at this port that can break connections. */
async function breakableLine(port: number, certificate?: Certificate) {
  const line = {
    putsToBreak: 0,
    stopsAfterBytes: null as number | null,
    origin: "",
    stop: () => {},
    close: () => {},
  };
  const answer: RequestListener = (request, response) => {
    if (request.method === "PUT" && line.putsToBreak > 0) {
      line.putsToBreak -= 1;
      request.socket.resetAndDestroy();
      return;
    }
    const { method, headers, url } = request;
    const onward = send({ host: "127.0.0.1", port, method, headers, path: url }, (said) => {
      response.writeHead(said.statusCode ?? 502, said.headers);
      said.pipe(response);
    });
    onward.on("error", () => response.destroy());
    let bytes = 0;
    request.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (line.stopsAfterBytes === null || bytes < line.stopsAfterBytes) return;
      line.stopsAfterBytes = null;
      line.stop();
    });
    request.pipe(onward);
  };
  const server = certificate ? createTlsServer(certificate, answer) : createServer(answer);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  line.origin = `${certificate ? "https" : "http"}://127.0.0.1:${(server.address() as AddressInfo).port}`;
  line.close = () => {
    server.closeAllConnections();
    server.close();
  };
  return line;
}
