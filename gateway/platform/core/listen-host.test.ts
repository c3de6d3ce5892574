import { mkdirSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { newFolder } from "#gateway/testing/folder.ts";
import { readConfig } from "./config.ts";
import { markNewFolder } from "./listen-host.ts";

const makeFolder = () => newFolder("hosts");
/** The address that the gateway listens on with this data folder and these settings. */
const hostOf = (dataDir: string, settings: Record<string, string> = {}) =>
  readConfig({
    GATEHOUSE_DATA_DIR: dataDir,
    AUTH_SECRET: "a-secret-that-only-tests-know-0001",
    ...settings,
  }).host;

it("lets only this machine reach a new installation, at the first start and later", () => {
  const folder = makeFolder();
  expect(hostOf(folder)).toBe("127.0.0.1");
  markNewFolder(folder);
  mkdirSync(path.join(folder, "postgres"));
  expect(hostOf(folder)).toBe("127.0.0.1");
  expect(hostOf(folder, { CONSOLE_PUBLIC_URL: "http://localhost:3000" })).toBe("127.0.0.1");
});

it("leaves an installation of an earlier release on all addresses", () => {
  const folder = makeFolder();
  mkdirSync(path.join(folder, "postgres"));
  markNewFolder(folder);
  expect(hostOf(folder)).toBe("0.0.0.0");
});

it.each([
  ["a database of its own", { DATABASE_URL: "postgres://db.example/gatehouse" }],
  ["a public address", { GATEWAY_PUBLIC_URL: "https://api.example.com" }],
  ["a public address of the console", { CONSOLE_PUBLIC_URL: "https://console.example.com" }],
  ["an address", { GATEWAY_HOST: "0.0.0.0" }],
])("listens on all addresses with %s", (_, settings) => {
  expect(hostOf(makeFolder(), settings)).toBe("0.0.0.0");
});
