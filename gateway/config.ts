import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

/** Every setting of the gateway, typed, in one place; `.env.example` documents them for people. */
export interface Config {
  port: number;
  /** The address that the gateway listens on. */
  host: string;
  /** Whether `x-forwarded-*` of a reverse proxy is believed. */
  trustProxy: boolean;
  /** Public base address, without `/v1`. Signed URLs and `poll_url` start with it. */
  publicUrl: string;
  consoleUrl: string;
  dataDir: string;
  databaseUrl: string | null;
  role: "all" | "api" | "worker";
  logLevel: string;
  extensions: boolean;
  owner: { email: string; password: string } | null;
  /** Master secret; every signing and sealing key is derived from it. */
  secret: string;
  retentionMs: number;
  uploadUrlTtlMs: number;
  predictionDeadlineMs: number;
  requestsPerMinute: number;
  maxConcurrency: number;
  webhooks: {
    backoffBaseMs: number;
    backoffFactor: number;
    timeoutMs: number;
    ports: number[];
    allowCidrs: string[];
    caFile: string | null;
    autoDisableAfterMs: number;
  };
  providersFile: string | null;
  metricsToken: string | null;
  s3: { bucket: string; endpoint: string | null; region: string; prefix: string } | null;
  ffmpegPath: string | null;
  sandboxTimeoutMs: number;
}

/** A setting that cannot be used; the message names it and says what would do. */
export class ConfigError extends Error {}

type Environment = Record<string, string | undefined>;

/** Reads the settings from the environment. Throws ConfigError naming the first bad one. */
export function readConfig(environment: Environment = process.env): Config {
  const read = settingReader(environment);
  const port = read.integer("GATEWAY_PORT", 4000, 0, 65535);
  const consolePort = read.integer("PORT", 3000, 0, 65535);
  const dataDir = path.resolve(read.text("GATEHOUSE_DATA_DIR") ?? ".data");
  const email = read.text("OWNER_EMAIL");
  const password = read.text("OWNER_PASSWORD");
  if (email && !password) throw new ConfigError("OWNER_PASSWORD must be set when OWNER_EMAIL is");
  const bucket = read.text("S3_BUCKET");
  return {
    port,
    host: read.text("GATEWAY_HOST") ?? "0.0.0.0",
    trustProxy: read.choice("TRUST_PROXY", "off", ["on", "off"]) === "on",
    publicUrl: read.text("GATEWAY_PUBLIC_URL") ?? `http://localhost:${port}`,
    consoleUrl: read.text("CONSOLE_PUBLIC_URL") ?? `http://localhost:${consolePort}`,
    dataDir,
    databaseUrl: read.text("DATABASE_URL"),
    role: read.choice("GATEWAY_ROLE", "all", ["all", "api", "worker"]),
    logLevel: read.choice("LOG_LEVEL", "info", [
      "fatal",
      "error",
      "warn",
      "info",
      "debug",
      "trace",
      "silent",
    ]),
    extensions: read.choice("GATEWAY_EXTENSIONS", "on", ["on", "off"]) === "on",
    owner: email && password ? { email, password } : null,
    secret: read.text("AUTH_SECRET") ?? keptSecret(dataDir),
    retentionMs: read.integer("RETENTION_MS", 86_400_000, 1),
    uploadUrlTtlMs: read.integer("UPLOAD_URL_TTL_MS", 900_000, 1000),
    predictionDeadlineMs: read.integer("PREDICTION_DEADLINE_MS", 1_800_000, 1000),
    requestsPerMinute: read.integer("REQUESTS_PER_MINUTE", 600, 1),
    maxConcurrency: read.integer("MAX_CONCURRENCY", 50, 1),
    webhooks: {
      backoffBaseMs: read.integer("WEBHOOK_BACKOFF_BASE_MS", 10_000, 1),
      backoffFactor: read.integer("WEBHOOK_BACKOFF_FACTOR", 4, 1),
      timeoutMs: read.integer("WEBHOOK_TIMEOUT_MS", 10_000, 100),
      ports: read.list("WEBHOOK_PORTS", ["443"]).map((text) => {
        const value = Number(text);
        if (!Number.isInteger(value) || value < 1 || value > 65535)
          throw new ConfigError(`WEBHOOK_PORTS must be port numbers parted by commas, not "${text}"`);
        return value;
      }),
      allowCidrs: read.list("WEBHOOK_ALLOW_CIDRS", []),
      caFile: read.text("WEBHOOK_CA_FILE"),
      autoDisableAfterMs: read.integer("WEBHOOK_AUTO_DISABLE_AFTER_MS", 5 * 86_400_000, 1000),
    },
    providersFile: read.text("PROVIDERS_FILE"),
    metricsToken: read.text("METRICS_TOKEN"),
    s3: bucket
      ? {
          bucket,
          endpoint: read.text("S3_ENDPOINT"),
          region: read.text("S3_REGION") ?? "us-east-1",
          prefix: read.text("S3_PREFIX") ?? "",
        }
      : null,
    ffmpegPath: read.text("FFMPEG_PATH"),
    sandboxTimeoutMs: read.integer("SANDBOX_TIMEOUT_MS", 300_000, 1000),
  };
}

function settingReader(environment: Environment) {
  const text = (name: string): string | null => environment[name]?.trim() || null;
  return {
    text,
    integer(name: string, fallback: number, min: number, max = Number.MAX_SAFE_INTEGER): number {
      const raw = text(name);
      if (raw === null) return fallback;
      const value = Number(raw);
      if (!Number.isInteger(value) || value < min || value > max)
        throw new ConfigError(`${name} must be a whole number from ${min} to ${max}, not "${raw}"`);
      return value;
    },
    choice<Choice extends string>(name: string, fallback: Choice, choices: readonly Choice[]): Choice {
      const raw = text(name);
      if (raw === null) return fallback;
      const found = choices.find((choice) => choice === raw);
      if (!found) throw new ConfigError(`${name} must be one of ${choices.join(", ")}, not "${raw}"`);
      return found;
    },
    list(name: string, fallback: string[]): string[] {
      const raw = text(name);
      return raw === null
        ? fallback
        : raw
            .split(",")
            .map((part) => part.trim())
            .filter(Boolean);
    },
  };
}

/** The master secret of this data folder, made on first use; losing it ends sessions and webhook secrets. */
export function keptSecret(dataDir: string): string {
  const file = path.join(dataDir, "secret");
  if (existsSync(file)) return readFileSync(file, "utf8").trim();
  mkdirSync(dataDir, { recursive: true });
  try {
    writeFileSync(file, `${randomBytes(32).toString("base64url")}\n`, { mode: 0o600, flag: "wx" });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  return readFileSync(file, "utf8").trim();
}
