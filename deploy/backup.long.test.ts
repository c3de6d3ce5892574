import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { Webhook } from "standardwebhooks";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { startS3Server } from "../gateway/files/storage/testing/s3-server.ts";
import { makeAuthority } from "../gateway/testing/certificates.ts";
import { type Fleet, type Member, makeFleet } from "../gateway/testing/fleet.ts";
import { call } from "../gateway/testing/gateway.ts";
import { ordered } from "../gateway/testing/load.ts";
import { programOwner } from "../gateway/testing/program.ts";
import { type Receiver, startReceiver } from "../gateway/testing/receiver.ts";
import { needPrograms } from "./testing/debian.ts";
import { type DebianPostgres, postgresBin, startDebianPostgres } from "./testing/postgres.ts";

const secret = "a-secret-that-only-tests-know-0001";
const installMs = 600_000;
const runMs = 60_000;

let folder: string;
let postgres: DebianPostgres;
let receiver: Receiver;
let fleet: Fleet;
const closings: (() => Promise<void>)[] = [];

beforeEach(async () => {
  needPrograms({ [`${postgresBin}/postgres`]: "postgresql-15", setpriv: "util-linux" });
  folder = mkdtempSync(path.join(os.tmpdir(), "backup-"));
  chmodSync(folder, 0o755); // PostgreSQL refuses to run as root, so it runs as another user.
  postgres = await startDebianPostgres(folder);
  closings.push(() => postgres.close());
  const authority = await makeAuthority(folder);
  receiver = await startReceiver(authority.local);
  closings.push(() => receiver.close());
  fleet = makeFleet({
    AWS_ACCESS_KEY_ID: "test",
    AWS_SECRET_ACCESS_KEY: "test",
    WEBHOOK_ALLOW_CIDRS: "127.0.0.0/8",
    WEBHOOK_PORTS: String(receiver.port),
    WEBHOOK_CA_FILE: authority.caFile,
    GATEHOUSE_DATA_DIR: folder,
    S3_BUCKET: "media",
  });
  closings.push(() => fleet.close());
}, installMs);
afterEach(async () => {
  for (const close of closings.splice(0).reverse()) await close();
});

it("a backup of secret, database and bucket works on another machine; without the secret, encrypted data is lost", async () => {
  postgres.run("createdb", "-O", "gatehouse", "gatehouse");
  const store = await openStore();
  const before = await fleet.start(settingsOf("gatehouse", store, secret));
  const session = await call(before, null, "POST", "/account/sessions", programOwner);
  const bearer = String(session.body.token);
  const made = await call(before, bearer, "POST", "/webhooks/endpoints", { url: receiver.url });
  const image = await makeImage(before, bearer);
  const file = await download(before, image.output[0]);
  expect(file.status).toBe(200);

  // In the order of docs/backup.md, while the gateway runs: the bucket after the database.
  const dump = path.join(folder, "gatehouse.dump");
  execFileSync(`${postgresBin}/pg_dump`, ["-Fc", "-f", dump, postgres.url("gatehouse")]);
  const bucket = new Map(store.objects);
  await before.end();
  postgres.run("dropdb", "gatehouse");

  postgres.run("createdb", "-O", "gatehouse", "restored");
  postgres.run("pg_restore", "--no-owner", "--role=gatehouse", "--exit-on-error", "-d", "restored", dump);
  const elsewhere = await openStore();
  for (const [key, object] of bucket) elsewhere.objects.set(key, object);
  const settings = settingsOf("restored", elsewhere, secret);
  const migrate = [process.execPath, ["scripts/gatehouse.mjs", "migrate"]] as const;
  expect(execFileSync(...migrate, { env: { ...process.env, ...settings }, encoding: "utf8" })).toContain(
    "up to date",
  );
  const after = await fleet.start({ ...settings, MIGRATE: "off" });
  expect((await call(after, bearer, "GET", `/predictions/${image.id}`)).body).toMatchObject({
    status: "succeeded",
  });
  expect(await download(after, image.output[0])).toEqual(file);
  const test = await sendTest(after, bearer, String(made.body.id));
  new Webhook(String(made.body.secret)).verify(test.body, test.headers as Record<string, string>);
  expect((await makeImage(after, bearer)).output).toHaveLength(1);
  await after.end();

  const stranger = await fleet.start(settingsOf("restored", elsewhere, `${secret}-other`));
  expect((await download(stranger, image.output[0])).status).toBe(403);
});

async function openStore() {
  const store = await startS3Server();
  closings.push(() => store.close());
  return store;
}

function settingsOf(database: string, store: { endpoint: string }, AUTH_SECRET: string) {
  return { DATABASE_URL: postgres.url(database), S3_ENDPOINT: store.endpoint, AUTH_SECRET };
}

async function makeImage(gateway: Member, bearer: string): Promise<{ id: string; output: string[] }> {
  const order = { ...ordered, prompt: crypto.randomUUID() };
  const { body } = await call(gateway, bearer, "POST", "/images/generations", order);
  return vi.waitFor(
    async () => {
      const read = await call(gateway, bearer, "GET", `/predictions/${body.id}`);
      expect(read.body.status).toBe("succeeded");
      return read.body as { id: string; output: string[] };
    },
    { timeout: runMs, interval: 100 },
  );
}

/** Downloads a signed URL through this gateway. The URL contains the address of another one. */
async function download({ url }: Member, signed = ""): Promise<{ status: number; bytes: string }> {
  const { pathname, search } = new URL(signed);
  const response = await fetch(`${new URL(url).origin}${pathname}${search}`);
  return { status: response.status, bytes: Buffer.from(await response.arrayBuffer()).toString("base64") };
}

async function sendTest(gateway: Member, bearer: string, endpoint: string) {
  const since = receiver.received.length;
  await call(gateway, bearer, "POST", `/webhooks/endpoints/${endpoint}/test`, {});
  return vi.waitFor(
    () => {
      const [test] = receiver.received.slice(since);
      if (!test) throw new Error("The test has not arrived");
      return test;
    },
    { timeout: runMs, interval: 100 },
  );
}
