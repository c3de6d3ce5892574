import { mkdtempSync } from "node:fs";
import path from "node:path";
import { inject } from "vitest";
import { type Config, readConfig } from "#gateway/platform/core/config.ts";

/** Settings for one test: the defaults, its own data folder, and the test's settings. */
export function testConfig(overrides: Partial<Config> = {}): Config {
  const dataDir = mkdtempSync(path.join(inject("testServer").folder, "data-"));
  const defaults = readConfig({
    GATEHOUSE_DATA_DIR: dataDir,
    AUTH_SECRET: "a-secret-that-only-tests-know-0001",
    LOG_LEVEL: "silent",
    DRAIN_MS: "3000",
  });
  return { ...defaults, ...overrides };
}
