import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import path from "node:path";
import type { RegionName } from "#contract/catalog-constants.ts";
import { type AuditStreamConfig, readAuditStream } from "./audit-stream-config.ts";
import { consoleSecrets } from "./console-secret.ts";
import { isDiskFull, problemOfFolder, problemOfUser } from "./data-folder.ts";
import { allAddresses, isForThisMachine, loopback } from "./listen-host.ts";
import { readNetworks } from "./networks.ts";
import { type OidcConfig, readOidc } from "./oidc-config.ts";
import { ConfigError, type Environment, type SettingReader, settingReader } from "./setting-reader.ts";
import { type TrustedProxies, trustedProxies } from "./trusted-proxies.ts";

/** The mail server for outgoing e-mail. */
export interface SmtpConfig {
  host: string;
  port: number;
  /** `starttls` requires it; `none` is for a server on this machine or in a trusted network. */
  security: "starttls" | "tls" | "none";
  user: string | null;
  password: string | null;
  /** `Gatehouse <gatehouse@example.com>` or only the address. */
  from: string;
  /** PEM file with additional trusted authorities. */
  caFile: string | null;
}

/** The settings of `settings.ts` as the gateway uses them. */
export interface Config {
  port: number;
  /** The address that the gateway listens on. */
  host: string;
  /** Reverse proxies whose `x-forwarded-*` headers are trusted. */
  trustProxy: TrustedProxies;
  /** The networks from which sign-ins and sessions are accepted; null: any. */
  consoleAllowCidrs: readonly string[] | null;
  /** The public base URL, without `/v1`. Signed URLs and `poll_url` start with it. */
  publicUrl: string;
  consoleUrl: string;
  dataDir: string;
  databaseUrl: string | null;
  /** The folder of this machine's PostgreSQL for the embedded database; null: where packages put it. */
  postgresBinDir: string | null;
  /** Whether a starting process applies the migrations that the database lacks. */
  migrate: boolean;
  role: "all" | "api" | "worker";
  /** The number of processes that share the port. */
  processes: number;
  /** How long running requests and runs may continue after a stop request. */
  drainMs: number;
  logLevel: string;
  /** Whether nothing may be sent to other machines (`network/quiet.ts`). */
  quiet: boolean;
  extensions: boolean;
  /** Whether the status page is shown without a credential. */
  publicStatus: boolean;
  owner: { email: string; password: string } | null;
  /** The identity provider for sign-ins; null if none is set up. */
  oidc: OidcConfig | null;
  /** The mail server; null: no e-mail is sent. */
  smtp: SmtpConfig | null;
  /** Where the audit log is streamed to; null: nowhere from this process. */
  auditStream: AuditStreamConfig | null;
  /** For how many days audit events wait for a receiver that is away. */
  auditStreamKeepDays: number;
  /** From this age of the oldest waiting event on, operators get a notice. */
  auditStreamBehindMs: number;
  /** Master secret; all signing and sealing keys are derived from it (`console-secret.ts`). */
  secret: string;
  /** The previous master secret: its signatures and sealed texts stay valid. */
  previousSecret: string | null;
  /** Secrets with which the console signs browsers' IP addresses, the current one first. */
  consoleSecrets: string[];
  retentionMs: number;
  /** The shortest retention that owners may choose; null: none but this installation's. */
  shortestRetentionMinutes: number | null;
  /** The longest life of a link to an output; 0: sharing is off. */
  shareMaxDays: number;
  /** Whether people may keep outputs in the account's library. */
  keepOutputs: boolean;
  /** How many days the library keeps an output at most; 0: for ever. */
  keptDays: number;
  /** What accounts may keep of the contents of their calls; null: nothing. */
  contents: { maxDays: number; bytesPerAccount: number } | null;
  /**
   * How many days rows are kept. 0: for ever; null: the value stored for this installation applies
   * (`database/history.ts`).
   */
  historyDays: number | null;
  auditDays: number | null;
  uploadUrlTtlMs: number;
  predictionDeadlineMs: number;
  /** The most upstream calls for one request, over all routes and models of an alias. */
  triesPerRequest: number;
  /** How long after the first try another try may begin. */
  tryingMs: number;
  requestsPerMinute: number;
  maxConcurrency: number;
  /** Per account key or session, for requests that do not run an operation. */
  apiRequestsPerMinute: number;
  /** Per IP address, for requests of the catalog and the OpenAPI document without a credential. */
  publicRequestsPerMinute: number;
  /** Operations of an account per minute, over all its keys and members; null: unlimited. */
  accountRequestsPerMinute: number | null;
  /** Open event streams per account key or session. */
  streamsPerKey: number;
  /** Active keys, endpoints and open invitations per account. */
  keysPerAccount: number;
  endpointsPerAccount: number;
  invitationsPerAccount: number;
  /** Total size of an account's stored files. */
  storageBytesPerAccount: number;
  webhooks: {
    backoffBaseMs: number;
    backoffFactor: number;
    timeoutMs: number;
    ports: number[];
    allowCidrs: string[];
    caFile: string | null;
    autoDisableAfterMs: number;
  };
  /** Private networks that media URLs in requests may point to. */
  mediaAllowCidrs: string[];
  providersFile: string | null;
  pricesFile: string | null;
  /** The currency of all prices, costs and budgets (ISO 4217). */
  currency: string;
  /** Variables that may hold providers' keys, besides those named `GATEHOUSE_KEY_…`. */
  providerKeyVariables: string[];
  /** The region of providers that have no regions of their own. */
  homeRegion: RegionName;
  metricsToken: string | null;
  /** The port on which a worker answers `/healthz`, `/readyz` and `/metrics`; null: it does not listen. */
  metricsPort: number | null;
  s3: { bucket: string; endpoint: string | null; region: string; prefix: string } | null;
  /** The certificate for signing outputs; null: outputs are stored unsigned. */
  signing: SigningFiles | null;
  ffmpegPath: string | null;
  sandboxTimeoutMs: number;
}

/** PEM files. */
export interface SigningFiles {
  /** The certificate, followed by the intermediate certificates up to its authority. */
  certificate: string;
  key: string;
}

const minSecretLength = 32;

const maxProcesses = 256;

/**
 * Reads the settings for a command on an existing installation. Throws ConfigError like `readConfig`, and
 * also if the data folder does not exist, because only starting the gateway creates one, or is another user's.
 */
export function readInstallation(): Config {
  const dataDir = dataDirOf(process.env);
  if (!process.env.DATABASE_URL?.trim() && !existsSync(dataDir))
    throw new ConfigError(
      `There is no data folder ${dataDir}. Set GATEHOUSE_DATA_DIR to the one of your installation, or make a new installation with "npm start"`,
    );
  const problem = problemOfUser(dataDir);
  if (problem !== null) throw new ConfigError(problem);
  return readConfig();
}

function dataDirOf(environment: Environment): string {
  return path.resolve(settingReader(environment).text("GATEHOUSE_DATA_DIR"));
}

/** Reads the settings from the environment. Throws ConfigError naming the first invalid setting. */
export function readConfig(environment: Environment = process.env): Config {
  try {
    return configOf(environment);
  } catch (error) {
    const problem = error instanceof ConfigError ? null : problemOfFolder(dataDirOf(environment), error);
    throw problem === null ? error : new ConfigError(problem);
  }
}

function configOf(environment: Environment): Config {
  const read = settingReader(environment);
  const port = read.integer("GATEWAY_PORT");
  const consolePort = read.integer("PORT");
  const dataDir = dataDirOf(environment);
  const email = read.text("OWNER_EMAIL");
  const password = read.text("OWNER_PASSWORD");
  if (email && !password) throw new ConfigError("OWNER_PASSWORD must be set when OWNER_EMAIL is set");
  const bucket = read.text("S3_BUCKET");
  const role = read.choice("GATEWAY_ROLE");
  const master = {
    secret: masterSecret(read.text("AUTH_SECRET"), read.text("DATABASE_URL"), dataDir),
    previousSecret: read.text("AUTH_SECRET_PREVIOUS"),
  };
  const consoleSecret = read.text("CONSOLE_SECRET");
  const previousConsoleSecret = read.text("CONSOLE_SECRET_PREVIOUS");
  return {
    port,
    host: read.text("GATEWAY_HOST") ?? (isForThisMachine(environment, dataDir) ? loopback : allAddresses),
    trustProxy: readTrustProxy(environment.TRUST_PROXY),
    consoleAllowCidrs: readConsoleNetworks(environment),
    publicUrl: read.text("GATEWAY_PUBLIC_URL") ?? `http://localhost:${port}`,
    consoleUrl: read.text("CONSOLE_PUBLIC_URL") ?? `http://localhost:${consolePort}`,
    dataDir,
    databaseUrl: read.text("DATABASE_URL"),
    postgresBinDir: read.text("POSTGRES_BIN_DIR"),
    migrate: read.isOn("MIGRATE"),
    role,
    processes: processesOf(read.text("GATEWAY_PROCESSES"), role),
    drainMs: read.integer("DRAIN_MS"),
    logLevel: read.choice("LOG_LEVEL"),
    quiet: read.isOn("GATEHOUSE_QUIET"),
    extensions: read.isOn("GATEWAY_EXTENSIONS"),
    publicStatus: read.isOn("PUBLIC_STATUS"),
    owner: email && password ? { email, password } : null,
    oidc: readOidc(read),
    smtp: readSmtp(read),
    auditStream: readAuditStream(read),
    auditStreamKeepDays: read.integer("AUDIT_STREAM_KEEP_DAYS"),
    auditStreamBehindMs: read.integer("AUDIT_STREAM_BEHIND_MS"),
    ...master,
    consoleSecrets: consoleSecret
      ? [consoleSecret, ...(previousConsoleSecret ? [previousConsoleSecret] : [])]
      : consoleSecrets(master),
    retentionMs: read.integer("RETENTION_MS"),
    shortestRetentionMinutes: read.integer("SHORTEST_RETENTION_MINUTES"),
    shareMaxDays: read.integer("SHARE_MAX_DAYS"),
    keepOutputs: read.isOn("KEEP_OUTPUTS"),
    keptDays: read.integer("KEPT_DAYS"),
    contents:
      read.choice("KEEP_CONTENTS") === "allowed" && read.isOn("GATEWAY_EXTENSIONS")
        ? {
            maxDays: read.integer("CONTENTS_MAX_DAYS"),
            bytesPerAccount: read.integer("CONTENTS_BYTES_PER_ACCOUNT"),
          }
        : null,
    historyDays: read.integer("HISTORY_DAYS"),
    auditDays: read.integer("AUDIT_DAYS"),
    uploadUrlTtlMs: read.integer("UPLOAD_URL_TTL_MS"),
    predictionDeadlineMs: read.integer("PREDICTION_DEADLINE_MS"),
    triesPerRequest: read.integer("TRIES_PER_REQUEST"),
    tryingMs: read.integer("TRYING_MS"),
    requestsPerMinute: read.integer("REQUESTS_PER_MINUTE"),
    maxConcurrency: read.integer("MAX_CONCURRENCY"),
    apiRequestsPerMinute: read.integer("API_REQUESTS_PER_MINUTE"),
    publicRequestsPerMinute: read.integer("PUBLIC_REQUESTS_PER_MINUTE"),
    accountRequestsPerMinute: read.integer("ACCOUNT_REQUESTS_PER_MINUTE"),
    streamsPerKey: read.integer("STREAMS_PER_KEY"),
    keysPerAccount: read.integer("KEYS_PER_ACCOUNT"),
    endpointsPerAccount: read.integer("ENDPOINTS_PER_ACCOUNT"),
    invitationsPerAccount: read.integer("INVITATIONS_PER_ACCOUNT"),
    storageBytesPerAccount: read.integer("STORAGE_BYTES_PER_ACCOUNT"),
    webhooks: {
      backoffBaseMs: read.integer("WEBHOOK_BACKOFF_BASE_MS"),
      backoffFactor: read.decimal("WEBHOOK_BACKOFF_FACTOR"),
      timeoutMs: read.integer("WEBHOOK_TIMEOUT_MS"),
      ports: read.list("WEBHOOK_PORTS").map((text) => {
        const value = Number(text);
        if (!Number.isInteger(value) || value < 1 || value > 65535)
          throw new ConfigError(`WEBHOOK_PORTS must be port numbers separated by commas, not "${text}"`);
        return value;
      }),
      allowCidrs: read.list("WEBHOOK_ALLOW_CIDRS"),
      caFile: read.text("WEBHOOK_CA_FILE"),
      autoDisableAfterMs: read.integer("WEBHOOK_AUTO_DISABLE_AFTER_MS"),
    },
    mediaAllowCidrs: read.list("MEDIA_ALLOW_CIDRS"),
    providersFile: read.text("PROVIDERS_FILE"),
    pricesFile: read.text("PRICES_FILE"),
    currency: readCurrency(read.text("CURRENCY")),
    providerKeyVariables: read.list("PROVIDER_KEY_VARIABLES"),
    homeRegion: read.choice("HOME_REGION"),
    metricsToken: read.text("METRICS_TOKEN"),
    metricsPort: read.integer("METRICS_PORT"),
    s3: bucket
      ? {
          bucket,
          endpoint: read.text("S3_ENDPOINT"),
          region: read.text("S3_REGION"),
          prefix: read.text("S3_PREFIX") ?? "",
        }
      : null,
    signing: readSigning(read),
    ffmpegPath: read.text("FFMPEG_PATH"),
    sandboxTimeoutMs: read.integer("SANDBOX_TIMEOUT_MS"),
  };
}

const smtpHost = "SMTP_HOST";

const smtpSettings = [
  "SMTP_PORT",
  "SMTP_SECURITY",
  "SMTP_USER",
  "SMTP_PASSWORD",
  "SMTP_FROM",
  "SMTP_CA_FILE",
] as const;

const usualPorts = { starttls: 587, tls: 465, none: 25 } as const;

const senderForm = /^(?:[^<>\r\n]{1,200} )?<?[^\s<>@,;]+@[^\s<>@,;]+>?$/;

/** The settings of the mail server; null without one. Throws ConfigError. */
function readSmtp(read: SettingReader): SmtpConfig | null {
  const host = read.text(smtpHost);
  if (host === null) {
    const given = smtpSettings.find((name) => read.isSet(name));
    if (given) throw new ConfigError(`${smtpHost} must be set when ${given} is set`);
    return null;
  }
  const security = read.choice("SMTP_SECURITY");
  const user = read.text("SMTP_USER");
  const password = read.text("SMTP_PASSWORD");
  if ((user === null) !== (password === null))
    throw new ConfigError("SMTP_USER and SMTP_PASSWORD must be set together");
  const from = read.text("SMTP_FROM");
  if (from === null || !senderForm.test(from))
    throw new ConfigError(
      "SMTP_FROM must be the sender of e-mails when SMTP_HOST is set, such as Gatehouse <gatehouse@example.com>",
    );
  return {
    host,
    port: read.integer("SMTP_PORT") ?? usualPorts[security],
    security,
    user,
    password,
    from,
    caFile: read.text("SMTP_CA_FILE"),
  };
}

function readSigning(read: SettingReader): SigningFiles | null {
  const certificate = read.text("C2PA_CERTIFICATE_FILE");
  const key = read.text("C2PA_KEY_FILE");
  if ((certificate === null) !== (key === null))
    throw new ConfigError("C2PA_CERTIFICATE_FILE and C2PA_KEY_FILE must be set together");
  return certificate !== null && key !== null ? { certificate, key } : null;
}

function readCurrency(text: string): string {
  if (!/^[A-Z]{3}$/.test(text))
    throw new ConfigError(`CURRENCY must be a code of ISO 4217, such as USD or EUR, not "${text}"`);
  return text;
}

/** `off`, or the proxies to trust. Throws ConfigError. */
export function readTrustProxy(text: string | undefined): TrustedProxies {
  const entries = (text ?? "").split(",").map((entry) => entry.trim());
  if (entries.includes("on"))
    throw new ConfigError(
      "TRUST_PROXY=on trusted every caller. Name the proxies instead: loopback, or their addresses, such as 10.0.0.0/8",
    );
  try {
    return trustedProxies(entries.filter((entry) => entry !== "" && entry !== "off"));
  } catch (error) {
    throw new ConfigError(`TRUST_PROXY is invalid: ${(error as Error).message}`);
  }
}

/** The networks of CONSOLE_ALLOW_CIDRS; null: any. Throws ConfigError. */
export function readConsoleNetworks(environment: Environment): readonly string[] | null {
  const networks = settingReader(environment).list("CONSOLE_ALLOW_CIDRS");
  try {
    readNetworks(networks);
  } catch (error) {
    throw new ConfigError(`CONSOLE_ALLOW_CIDRS is invalid: ${(error as Error).message}`);
  }
  return networks.length > 0 ? networks : null;
}

/**
 * The number of processes; `auto` means one per core that this process may use. A worker is always one
 * process, because it has no port to share.
 */
function processesOf(text: string, role: Config["role"]): number {
  const wanted = text === "auto" ? Math.min(maxProcesses, availableParallelism()) : Number(text);
  if (!Number.isInteger(wanted) || wanted < 1 || wanted > maxProcesses)
    throw new ConfigError(
      `GATEWAY_PROCESSES must be auto or a whole number from 1 to ${maxProcesses}, not "${text}"`,
    );
  if (role !== "worker") return wanted;
  if (wanted > 1 && text !== "auto")
    throw new ConfigError(
      `GATEWAY_PROCESSES must be 1 or auto with GATEWAY_ROLE=worker, not "${text}": it is the number of processes that share the API's port. Start several workers instead`,
    );
  return 1;
}

/**
 * The master secret from the settings, otherwise from the data folder. With DATABASE_URL several processes
 * share a database, so none may create its own secret. Throws ConfigError; the message explains how to keep
 * access to sealed data.
 */
function masterSecret(given: string | null, databaseUrl: string | null, dataDir: string): string {
  const file = path.join(dataDir, "secret");
  if (given === null && databaseUrl !== null)
    throw new ConfigError(
      `AUTH_SECRET must be set when DATABASE_URL is, the same for every process. ${
        existsSync(file)
          ? `This data folder has used the one in ${file}: set AUTH_SECRET to its content to keep what is sealed with it`
          : `Create one with "openssl rand -base64 32"`
      }`,
    );
  const secret = given ?? keptSecret(file);
  if (secret.length < minSecretLength)
    throw new ConfigError(
      `${given === null ? file : "AUTH_SECRET"} must hold at least ${minSecretLength} characters, not ${secret.length}. To keep what is sealed with it, set AUTH_SECRET to a new one ("openssl rand -base64 32") and AUTH_SECRET_PREVIOUS to the current one`,
    );
  return secret;
}

/** The secret in this file, which is created on first use. */
function keptSecret(file: string): string {
  if (existsSync(file)) return readFileSync(file, "utf8").trim();
  mkdirSync(path.dirname(file), { recursive: true });
  try {
    writeFileSync(file, `${randomBytes(32).toString("base64url")}\n`, { mode: 0o600, flag: "wx" });
  } catch (error) {
    if (isDiskFull(error)) rmSync(file, { force: true }); // It is empty.
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  return readFileSync(file, "utf8").trim();
}
