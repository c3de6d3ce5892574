import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { readConfig } from "./config.ts";
import { ConfigError } from "./setting-reader.ts";

const longEnough = "0123456789abcdef0123456789abcdef";
const databaseUrl = "postgres://localhost/gatehouse";

function newFolder(secret?: string): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), "gatehouse-config-"));
  if (secret !== undefined) writeFileSync(path.join(folder, "secret"), `${secret}\n`);
  return folder;
}

function refusal(environment: Record<string, string>): string {
  try {
    readConfig(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  return "accepted";
}

test("a data folder keeps the secret created at its first start", () => {
  const folder = newFolder();
  const { secret } = readConfig({ GATEHOUSE_DATA_DIR: folder });
  expect(secret.length).toBeGreaterThanOrEqual(32);
  expect(readFileSync(path.join(folder, "secret"), "utf8").trim()).toBe(secret);
  expect(readConfig({ GATEHOUSE_DATA_DIR: folder }).secret).toBe(secret);
});

test.each(["KEEP_CONTENTS", "GATEWAY_EXTENSIONS"])("with %s=off no contents of calls are kept", (name) => {
  const contentsWith = (value: string) =>
    readConfig({ GATEHOUSE_DATA_DIR: newFolder(), [name]: value }).contents;
  expect(contentsWith("off")).toBeNull();
  expect(contentsWith(name === "KEEP_CONTENTS" ? "allowed" : "on")).toMatchObject({ maxDays: 30 });
});

test("a process with DATABASE_URL does not invent a secret", () => {
  const message = refusal({ GATEHOUSE_DATA_DIR: newFolder(), DATABASE_URL: databaseUrl });
  expect(message).toMatch(/^AUTH_SECRET must be set when DATABASE_URL is/);
  expect(message).toContain("openssl rand");
});

test("the refusal names the file that holds the secret used so far, and its content is accepted", () => {
  const folder = newFolder(longEnough);
  const environment = { GATEHOUSE_DATA_DIR: folder, DATABASE_URL: databaseUrl };
  expect(refusal(environment)).toContain(path.join(folder, "secret"));
  expect(refusal(environment)).not.toContain(longEnough);
  expect(readConfig({ ...environment, AUTH_SECRET: longEnough }).secret).toBe(longEnough);
});

test("a short secret is refused, says how to replace it, and is accepted as the previous one", () => {
  const folder = newFolder();
  const message = refusal({ GATEHOUSE_DATA_DIR: folder, AUTH_SECRET: "x".repeat(31) });
  expect(message).toMatch(/^AUTH_SECRET must hold at least 32 characters, not 31/);
  expect(message).toContain("AUTH_SECRET_PREVIOUS");
  const config = readConfig({
    GATEHOUSE_DATA_DIR: folder,
    AUTH_SECRET: longEnough,
    AUTH_SECRET_PREVIOUS: "x",
  });
  expect(config).toMatchObject({ secret: longEnough, previousSecret: "x" });
});

test("a short secret in the data folder is refused, and the error names the secret's file", () => {
  const folder = newFolder("short");
  expect(refusal({ GATEHOUSE_DATA_DIR: folder })).toMatch(path.join(folder, "secret"));
});

test("a backoff factor may have decimals, and anything but a number from 1 to 100 is refused", () => {
  const read = (factor: string) =>
    readConfig({ GATEHOUSE_DATA_DIR: newFolder(), WEBHOOK_BACKOFF_FACTOR: factor }).webhooks.backoffFactor;
  expect([read("1.5"), read("4"), read("")]).toEqual([1.5, 4, 4]);
  for (const factor of ["0.5", "101", "1,5", "1e1", "NaN", "two"])
    expect(() => read(factor)).toThrow(
      /^WEBHOOK_BACKOFF_FACTOR must be a number from 1 to 100, such as 1\.5/,
    );
});

test.each([
  ["GATEWAY_PORT", "70000", /a whole number from 0 to 65535, not "70000"/],
  ["GATEWAY_PORT", "4000.5", /a whole number/],
  ["PORT", "http", /a whole number/],
  ["RETENTION_MS", "0", /a whole number from 1/],
  ["RETENTION_MS", "24h", /not "24h"/],
  ["UPLOAD_URL_TTL_MS", "999", /from 1000/],
  ["PREDICTION_DEADLINE_MS", "-1", /from 1000/],
  ["REQUESTS_PER_MINUTE", "0", /from 1/],
  ["MAX_CONCURRENCY", "many", /not "many"/],
  ["WEBHOOK_TIMEOUT_MS", "99", /from 100/],
  ["WEBHOOK_PORTS", "443,https", /not "https"/],
  ["WEBHOOK_PORTS", "0", /not "0"/],
  ["GATEWAY_ROLE", "both", /one of all, api, worker, not "both"/],
  ["GATEWAY_PROCESSES", "0", /auto or a whole number from 1 to 256, not "0"/],
  ["GATEWAY_PROCESSES", "1.5", /not "1.5"/],
  ["GATEWAY_PROCESSES", "all", /not "all"/],
  ["MIGRATE", "never", /one of on, off, not "never"/],
  ["DRAIN_MS", "-1", /from 0 to 3600000/],
  ["GATEWAY_EXTENSIONS", "true", /one of on, off, not "true"/],
  ["LOG_LEVEL", "loud", /one of fatal, .*, silent, not "loud"/],
])("%s=%s is refused with the name of the setting and what is valid", (name, value, message) => {
  const said = refusal({ GATEHOUSE_DATA_DIR: newFolder(), [name]: value });
  expect(said).toMatch(new RegExp(`^${name} must be`));
  expect(said).toMatch(message);
});

test("several processes are for the API; auto is one for each core", () => {
  const read = (settings: Record<string, string>) =>
    readConfig({ GATEHOUSE_DATA_DIR: newFolder(), ...settings }).processes;
  const worker = { GATEWAY_ROLE: "worker" };
  expect([read({}), read({ GATEWAY_PROCESSES: "3" })]).toEqual([1, 3]);
  expect(read({ GATEWAY_PROCESSES: "auto" })).toBe(os.availableParallelism());
  expect(read({ GATEWAY_PROCESSES: "auto", ...worker })).toBe(1);
  expect(() => read({ GATEWAY_PROCESSES: "2", ...worker })).toThrow(/GATEWAY_ROLE=worker.*several workers/);
});

test("an owner's e-mail needs a password, and empty settings are the defaults", () => {
  expect(refusal({ GATEHOUSE_DATA_DIR: newFolder(), OWNER_EMAIL: "a@example.com" })).toMatch(
    /^OWNER_PASSWORD/,
  );
  const config = readConfig({ GATEHOUSE_DATA_DIR: newFolder(), GATEWAY_PORT: " ", GATEWAY_ROLE: "" });
  expect(config).toMatchObject({ port: 4000, role: "all" });
});

const receiver = { AUDIT_STREAM: "otlp", AUDIT_STREAM_TO: "https://logs.example.com/v1/logs?token=private" };

test.each([
  [{ AUDIT_STREAM_TO: "/var/log/audit.jsonl" }, "AUDIT_STREAM must be set when AUDIT_STREAM_TO is set"],
  [{ AUDIT_STREAM: "file" }, "the absolute path of a file"],
  [{ AUDIT_STREAM: "file", AUDIT_STREAM_TO: "audit.jsonl" }, "the absolute path of a file"],
  [
    { AUDIT_STREAM: "file", AUDIT_STREAM_TO: "/audit.jsonl", AUDIT_STREAM_SECRET: "x" },
    "only for AUDIT_STREAM=webhook",
  ],
  [{ ...receiver, AUDIT_STREAM_TO: "ftp://private.example.com" }, "an address with http or https"],
  [{ ...receiver, AUDIT_STREAM_TO: "https://me:private@logs.example.com" }, "without a name, password"],
  [{ ...receiver, AUDIT_STREAM_HEADERS: "authorization" }, "must be name=value"],
  [{ ...receiver, AUDIT_STREAM_HEADERS: "a=%0aprivate" }, "must be name=value"],
  [{ ...receiver, AUDIT_STREAM_HEADERS: "Webhook-Id=private" }, "headers that Gatehouse writes itself"],
  [{ ...receiver, AUDIT_STREAM: "webhook" }, "AUDIT_STREAM_SECRET must be whsec_"],
  [
    { ...receiver, AUDIT_STREAM: "webhook", AUDIT_STREAM_SECRET: "whsec_private" },
    "base64 of 24 bytes or more",
  ],
])("an audit stream of %j is refused without repeating a secret", (settings, message) => {
  const said = refusal({ GATEHOUSE_DATA_DIR: newFolder(), ...settings });
  expect(said).toContain(message);
  expect(said).not.toContain("private");
});

test("the headers of an audit stream are decoded", () => {
  const { auditStream } = readConfig({
    ...{ GATEHOUSE_DATA_DIR: newFolder(), ...receiver },
    AUDIT_STREAM_HEADERS: "authorization=Bearer%20one%2Ctwo, x-team = audit",
  });
  expect(auditStream).toMatchObject({ headers: { authorization: "Bearer one,two", "x-team": "audit" } });
});
