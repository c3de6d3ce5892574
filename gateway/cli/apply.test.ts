import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { call, startTestGateway, type TestGateway } from "#gateway/testing/gateway.ts";
import { main } from "./main.ts";

const file = {
  providers: {
    their: {
      protocol: "openai",
      base_url: "https://up.example/v1",
      credentials: { "us-virginia": { env: "GATEHOUSE_APPLY_TEST" } },
    },
  },
  routes: [{ models: ["svc/chat-2"], provider: "their", upstream_model: "m" }],
};

let gateway: TestGateway;
let folder: string;
let key: string;
beforeAll(async () => {
  gateway = await startTestGateway({ role: "api" });
  folder = mkdtempSync(path.join(tmpdir(), "gatehouse-apply-"));
  const { accountId } = await gateway.createAccount();
  key = await gateway.createKey(accountId, { scopes: ["operator"] });
});
afterAll(async () => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true });
  await gateway.close();
});

/** What the command answers, and all that it prints. */
async function applied(
  content: string | object,
  ...words: string[]
): Promise<{ code: number; said: string }> {
  const name = path.join(folder, "gatehouse.json");
  writeFileSync(name, typeof content === "string" ? content : JSON.stringify(content));
  const lines: string[] = [];
  const log = vi.spyOn(console, "log").mockImplementation((line) => void lines.push(String(line)));
  const error = vi.spyOn(console, "error").mockImplementation((line) => void lines.push(String(line)));
  const code = await main(["apply", name, "--gateway", gateway.url, "--key", key, ...words]);
  log.mockRestore();
  error.mockRestore();
  return { code, said: lines.join("\n") };
}

async function providers(): Promise<unknown> {
  return (await call(gateway, key, "GET", "/operator/providers")).body.data;
}

it("says what it would add, asks for the key that is missing, adds it once", async () => {
  const missing = await applied(file);
  expect(missing).toMatchObject({ code: 1, said: expect.stringContaining("GATEHOUSE_APPLY_TEST") });
  vi.stubEnv("GATEHOUSE_APPLY_TEST", "sk-of-this-machine");
  const dry = await applied(file, "--dry-run");
  expect(dry).toEqual({ code: 0, said: "Would add providers: their\nWould add routes: 1" });
  expect(await providers()).toEqual([]);
  expect(await applied(file)).toEqual({ code: 0, said: "Added providers: their\nAdded routes: 1" });
  expect(await providers()).toMatchObject([{ name: "their" }]);
  const again = await applied(file);
  expect(again).toMatchObject({ code: 0, said: expect.stringContaining("Nothing to add") });
});

it("names what stays although the file says otherwise", async () => {
  const other = {
    ...file,
    providers: { their: { ...file.providers.their, base_url: "https://new.example/v1" } },
  };
  expect((await applied(other)).said).toContain("their is different in the file. It stays as it is here.");
});

it("changes nothing where anything is wrong", async () => {
  const wrong = { ...file, routes: [{ ...file.routes[0], models: ["svc/none"] }] };
  const refused = await applied(wrong);
  expect(refused).toMatchObject({ code: 1, said: expect.stringContaining('"svc/none"') });
  expect(await applied("{")).toMatchObject({ code: 1, said: expect.stringContaining("not valid JSON") });
  expect(await main(["apply", "--gateway", gateway.url, "--key", key])).toBe(2);
  expect(await main(["apply", "one", "two", "--gateway", gateway.url, "--key", key])).toBe(2);
});
