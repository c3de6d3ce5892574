import { mkdtempSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { expect, it, vi } from "vitest";
import { isSignedBy, sign } from "#gateway/files/storage/signed-urls.ts";
import { consoleSecrets } from "#gateway/platform/core/console-secret.ts";
import { consoleEnvironment } from "./console-environment.mjs";

const master = {
  secret: "the-master-secret-of-the-gateway-01",
  previousSecret: "the-master-secret-of-yesterday-0002",
};
const [cookieSecret, previousCookieSecret] = consoleSecrets(master);
const whole = {
  PATH: "/usr/bin",
  HTTPS_PROXY: "http://proxy.example:3128",
  AUTH_SECRET: master.secret,
  AUTH_SECRET_PREVIOUS: master.previousSecret,
  CONSOLE_SECRET: cookieSecret,
  CONSOLE_SECRET_PREVIOUS: previousCookieSecret,
  DATABASE_URL: "postgres://gatehouse:password@postgres/gatehouse",
  OWNER_EMAIL: "owner@example.com",
  OWNER_PASSWORD: "correct-horse-battery",
  AWS_SECRET_ACCESS_KEY: "store",
  METRICS_TOKEN: "metrics",
  SOME_UPSTREAM_KEY: "sk-upstream",
  GATEHOUSE_DATA_DIR: ".data",
  GATEWAY_URL: "http://localhost:4000",
  MEDIA_ORIGINS: "https://media.example.com",
};

it("contains the variables that the console reads and the system needs, and nothing else", () => {
  expect(Object.keys(consoleEnvironment(whole)).sort()).toEqual([
    "CONSOLE_SECRET",
    "CONSOLE_SECRET_PREVIOUS",
    "GATEWAY_URL",
    "HTTPS_PROXY",
    "MEDIA_ORIGINS",
    "NEXT_TELEMETRY_DISABLED",
    "PATH",
    "__NEXT_PROCESSED_ENV",
  ]);
});

it("cannot be used to forge a download URL", () => {
  const grant = {
    method: "GET",
    path: "/files/outputs/pred_1/1.png",
    expires: Date.UTC(2100) / 1000,
  };
  expect(isSignedBy(master, grant, sign(master, grant))).toBe(true);
  for (const value of Object.values(consoleEnvironment(whole)))
    expect(isSignedBy(master, grant, sign({ secret: value, previousSecret: null }, grant)), value).toBe(
      false,
    );
});

it("prevents Next from reading .env itself", () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), "gatehouse-env-"));
  writeFileSync(path.join(folder, ".env"), "GATEHOUSE_TEST_OF_DOTENV=read\n");
  const { loadEnvConfig } = createRequire(createRequire(import.meta.url).resolve("next/package.json"))(
    "@next/env",
  );
  vi.stubEnv("__NEXT_PROCESSED_ENV", consoleEnvironment({}).__NEXT_PROCESSED_ENV);
  loadEnvConfig(folder, false, console);
  expect(process.env.GATEHOUSE_TEST_OF_DOTENV).toBeUndefined();
  vi.unstubAllEnvs();
});
