import { type Config, readConfig } from "#gateway/platform/core/config.ts";
import { newFolder } from "#gateway/testing/folder.ts";
import type { Authority } from "./certificates.ts";

/** Settings for one test: the defaults, its own data folder, and the test's settings. */
export function testConfig(overrides: Partial<Config> = {}): Config {
  const dataDir = newFolder("data");
  const defaults = readConfig({
    GATEHOUSE_DATA_DIR: dataDir,
    AUTH_SECRET: "a-secret-that-only-tests-know-0001",
    LOG_LEVEL: "silent",
    DRAIN_MS: "3000",
  });
  return { ...defaults, ...overrides };
}

/** Deliveries reach only an HTTPS server of the test, and are tried again after milliseconds. */
export const webhooksTo = (port: number, { caFile }: Authority): Config["webhooks"] => ({
  backoffBaseMs: 10,
  backoffFactor: 1,
  timeoutMs: 10_000,
  ports: [443, port],
  allowCidrs: ["127.0.0.0/8"],
  caFile,
  autoDisableAfterMs: 86_400_000,
});
