import { once } from "node:events";
import { chmodSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { type AddressInfo, createServer as createTcpServer } from "node:net";
import path from "node:path";
import { beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { examineInstallation } from "#gateway/monitoring/doctor/doctor.ts";
import { nameOfFolder } from "#gateway/platform/core/data-folder.ts";
import { createTestDatabase, databaseUrlOf } from "#gateway/testing/database.ts";
import { newFolder } from "#gateway/testing/folder.ts";
import { call, startTestGateway } from "#gateway/testing/gateway.ts";
import { main } from "./main.ts";

const secrets = ["a-secret-that-only-tests-know-0001", "mail-password-1", "owner-password-1"];
let dataDir: string;
const printed: string[] = [];

beforeEach(async () => {
  const database = await createTestDatabase();
  dataDir = newFolder("doctor");
  vi.stubEnv("DATABASE_URL", databaseUrlOf(database));
  vi.stubEnv("GATEHOUSE_DATA_DIR", dataDir);
  vi.stubEnv("AUTH_SECRET", secrets[0]);
  printed.length = 0;
  vi.spyOn(console, "log").mockImplementation((text: string) => void printed.push(text));
  vi.spyOn(console, "error").mockImplementation((text: string) => void printed.push(text));
  onTestFinished(async () => {
    vi.unstubAllEnvs();
    vi.restoreAllMocks();
    await database.close();
  });
});

/** The state of each finding of a check, with what was found. */
async function found(check: string): Promise<string[]> {
  const findings = await examineInstallation();
  return findings.filter((one) => one.check === check).map(({ state, found }) => `${state}: ${found}`);
}

async function listening(server: ReturnType<typeof createServer | typeof createTcpServer>): Promise<number> {
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

it("finds nothing wrong with an installation that answers, and says what may be better", async () => {
  const port = await listening(createServer((_request, response) => response.end("ok")));
  vi.stubEnv("GATEWAY_PUBLIC_URL", `http://127.0.0.1:${port}`);
  vi.stubEnv("CONSOLE_PUBLIC_URL", `http://127.0.0.1:${port}`);
  expect(await main(["doctor", "--json"])).toBe(0);
  const { findings } = JSON.parse(printed[0] ?? "") as { findings: { check: string; state: string }[] };
  const states = Map.groupBy(findings, ({ state }) => state);
  expect(states.get("wrong")).toBeUndefined();
  expect(states.get("good")?.map(({ check }) => check)).toEqual(
    expect.arrayContaining(["Programs", "Settings", "Data folder", "Object store", "Gateway", "Console"]),
  );
  expect(states.get("look")?.map(({ check }) => check)).toEqual(
    expect.arrayContaining(["Providers", "Mail"]),
  );
});

it("says what is wrong, what to do, and no secret", async () => {
  const broken = await listening(createServer((_request, response) => response.writeHead(500).end()));
  const mail = await listening(createTcpServer((socket) => socket.end("554 not for you\r\n")));
  vi.stubEnv("CONSOLE_PUBLIC_URL", `http://127.0.0.1:${broken}`);
  for (const [name, value] of Object.entries({
    SMTP_HOST: "127.0.0.1",
    SMTP_PORT: String(mail),
    SMTP_SECURITY: "none",
    SMTP_USER: "user",
    SMTP_PASSWORD: secrets[1],
    SMTP_FROM: "gatehouse@example.com",
    OWNER_EMAIL: "owner@example.com",
    OWNER_PASSWORD: secrets[2],
    GATEWAY_PUBLIC_URL: "http://gateway.example.com",
  }))
    vi.stubEnv(name, value);
  expect(await main(["doctor"])).toBe(1);
  const page = printed.join("\n");
  expect(page).toMatch(/✗ Console +http:\/\/127\.0\.0\.1:\d+ answers 500\.\n +Its log says why\./);
  expect(page).toMatch(/✗ Mail +127\.0\.0\.1:\d+: .*554/);
  expect(page).toContain("OWNER_PASSWORD is still set.");
  expect(page).toContain("GATEWAY_PUBLIC_URL is http://gateway.example.com: keys travel unencrypted.");
  expect(page).toMatch(/\n2 wrong, \d+ to look at, \d+ good\n2 checks failed\.$/);
  for (const secret of secrets) expect(page).not.toContain(secret);
});

it("recognises another installation at its address, and a console that is being built", async () => {
  const answers = { folder: "0123456789abcdef", console: 503 };
  const port = await listening(
    createServer(({ url }, response) =>
      url === "/readyz"
        ? response.writeHead(200, { "x-svc-data-folder": answers.folder }).end()
        : response.writeHead(answers.console).end("<title>Gatehouse is being built</title>"),
    ),
  );
  vi.stubEnv("GATEWAY_PUBLIC_URL", `http://127.0.0.1:${port}`);
  vi.stubEnv("CONSOLE_PUBLIC_URL", `http://127.0.0.1:${port}`);
  expect(await found("Gateway")).toEqual([expect.stringMatching(/^look: .*it is another installation/)]);
  expect(await found("Console")).toEqual([expect.stringMatching(/^look: .* is still being built/)]);
  answers.console = 200;
  expect(await found("Console")).toEqual([expect.stringMatching(/^look: .* perhaps for that installation/)]);
  answers.folder = nameOfFolder({ dataDir, secret: secrets[0] ?? "", previousSecret: null });
  for (const check of ["Gateway", "Console"])
    expect(await found(check)).toEqual([expect.stringMatching(/^good: /)]);
});

it("names an invalid setting, and a database that cannot be reached", async () => {
  vi.stubEnv("DATABASE_URL", "postgres://nobody:planted-password@127.0.0.1:1/none");
  const [database = ""] = await found("Database");
  expect(database).toMatch(/^wrong: .*DATABASE_URL cannot be opened/);
  expect(database).not.toContain("planted-password");
  vi.stubEnv("GATEWAY_PORT", "many");
  expect(await found("Settings")).toEqual([expect.stringMatching(/^wrong: GATEWAY_PORT must be a whole/)]);
});

it("says that AUTH_SECRET is not the database's, unless that one is given too", async () => {
  const database = await createTestDatabase();
  vi.stubEnv("DATABASE_URL", databaseUrlOf(database));
  const gateway = await startTestGateway({}, null, database);
  onTestFinished(() => gateway.close());
  const { session } = await gateway.createAccount();
  const endpoint = { url: "https://hooks.example.com/a" };
  expect((await call(gateway, session, "POST", "/webhooks/endpoints", endpoint)).status).toBe(201);
  expect(await found("Settings")).toEqual(["good: Valid."]);
  vi.stubEnv("AUTH_SECRET", "another-secret-that-only-tests-know-2");
  expect(await found("Settings")).toContainEqual(expect.stringMatching(/^wrong: AUTH_SECRET is not the one/));
  vi.stubEnv("AUTH_SECRET_PREVIOUS", secrets[0]);
  expect(await found("Settings")).toEqual(["good: Valid."]);
});

it("names a file of secrets that every user can read, and data that cannot be written", async () => {
  vi.stubEnv("GATEWAY_HOST", "127.0.0.1");
  const file = path.join(dataDir, "secret");
  writeFileSync(file, "x", { mode: 0o600 });
  const open = (await found("Open to others")).join();
  expect(open).toBe("good: The gateway listens on 127.0.0.1.");
  expect(open).not.toContain(file);
  chmodSync(file, 0o644);
  expect((await found("Open to others")).join()).toContain(`Every user of this machine can read ${file}.`);
  vi.stubEnv("GATEHOUSE_DATA_DIR", file);
  expect(await found("Data folder")).toEqual([expect.stringMatching(/^wrong: .*cannot be written/)]);
});

it("finds the same for operators in the console, a bounded number of times", async () => {
  const gateway = await startTestGateway({ databaseUrl: process.env.DATABASE_URL ?? "" });
  onTestFinished(() => gateway.close());
  const operator = await gateway.createAccount();
  const { session } = await gateway.createAccount();
  expect((await call(gateway, session, "POST", "/operator/doctor")).status).toBe(403);
  const { status, body } = await call(gateway, operator.session, "POST", "/operator/doctor");
  expect(status).toBe(200);
  const checks = (findings: unknown) => new Set((findings as { check: string }[]).map(({ check }) => check));
  expect(checks(body.findings)).toEqual(checks(await examineInstallation()));
  const more = await Promise.all(
    // Ten a minute are allowed; if the first took long, one more.
    Array.from({ length: 12 }, () => call(gateway, operator.session, "POST", "/operator/doctor")),
  );
  expect(new Set(more.map(({ status }) => status))).toEqual(new Set([200, 429]));
});
