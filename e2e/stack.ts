import { spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import os from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import type { Authority, Certificate } from "../gateway/testing/certificates.ts";
import { makeAuthority } from "../gateway/testing/certificates.ts";
import { testClient } from "../gateway/testing/identity-provider.ts";
import { copyMigratedCluster } from "../gateway/testing/migrated-cluster.ts";

/** The facts about the running programs that tests need. */
export interface Stack {
  /** Ends with `/v1`. */
  gatewayUrl: string;
  consoleUrl: string;
  owner: { email: string; password: string };
  /** The one-time link of a stack that was started without an owner. */
  setUpLink: string | null;
  /** Ports that webhook endpoints may use. Receivers listen on them with `certificate`. */
  receiverPorts: number[];
  certificate: Certificate;
  /** The address of the identity provider in the gateway's settings. */
  identityProviderPort: number;
  /** The data folder of the programs. */
  dataDir: string;
}

export interface StackOptions {
  /** False: the first visitor sets the gateway up. */
  hasOwner?: boolean;
  /** Settings of `.env.example` that differ from those of the tests. */
  settings?: Record<string, string>;
}

export interface StartedStack {
  stack: Stack;
  stop(): Promise<void>;
}

/** The variable that passes the stacks from the global set-up to the workers. */
export const STACKS_VARIABLE = "GATEHOUSE_E2E_STACKS";
/** The console may have to be built first. */
const START_TIMEOUT_MS = 240_000;
const RECEIVER_PORTS = 4;
const root = path.resolve(import.meta.dirname, "..");
const owner = { email: "owner@example.com", password: "gatehouse-e2e-1" };

/**
 * The stack of one worker, which the global set-up started. Workers that run at the same time count from 0.
 */
export function runningStack(worker: number): Stack {
  const text = process.env[STACKS_VARIABLE];
  const stack = (JSON.parse(text ?? "[]") as Stack[])[worker];
  if (!stack) throw new Error("the programs were not started: is e2e/global-setup.ts the global set-up?");
  return stack;
}

/**
 * Starts gateway and console on free ports. A stack without an owner creates its database itself, like a
 * first start.
 */
export async function startStack(options: StackOptions = {}): Promise<StartedStack> {
  const { hasOwner = true, settings = {} } = options;
  const folder = newFolder();
  const dataDir = path.join(folder, "data");
  mkdirSync(dataDir);
  if (hasOwner) await copyMigratedCluster(dataDir);
  const authority = await makeAuthority(folder);
  const [identityProviderPort = 0, ...receiverPorts] = await freePorts(1 + RECEIVER_PORTS);
  const { addresses, stop } = await startPrograms(folder, [], !hasOwner, {
    ...testSettings(dataDir, authority, receiverPorts),
    ...(settings.GATEWAY_EXTENSIONS !== "off" && identityProviderSettings(identityProviderPort)),
    ...(hasOwner && { OWNER_EMAIL: owner.email, OWNER_PASSWORD: owner.password }),
    ...settings,
  });
  return {
    stack: {
      ...addresses,
      owner,
      receiverPorts,
      certificate: authority.local,
      identityProviderPort,
      dataDir,
    },
    stop,
  };
}

/** Starts only the console, for a gateway that is already running. */
export async function startConsole(gatewayUrl: string): Promise<{ url: string; stop(): Promise<void> }> {
  const folder = newFolder();
  const { addresses, stop } = await startPrograms(folder, ["console"], false, {
    GATEHOUSE_ENV_FILE: "",
    GATEHOUSE_DATA_DIR: path.join(folder, "data"),
    PORT: "0",
    GATEWAY_URL: gatewayUrl,
  });
  return { url: addresses.consoleUrl, stop };
}

function newFolder(): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), "gatehouse-e2e-"));
  chmodSync(folder, 0o755); // root runs the database as another user, who must be able to enter the folder.
  return folder;
}

/** Runs `scripts/start.mjs`. The returned function stops it and removes `folder`. */
async function startPrograms(
  folder: string,
  words: string[],
  waitForLink: boolean,
  settings: Record<string, string>,
): Promise<{ addresses: Addresses; stop(): Promise<void> }> {
  const programs = spawn(process.execPath, ["scripts/start.mjs", ...words], {
    cwd: root,
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...withoutSettings(process.env), ...settings },
  });
  const ended = new Promise<void>((resolve) => programs.once("exit", () => resolve()));
  const stop = async (): Promise<void> => {
    programs.kill("SIGTERM");
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    return { addresses: await readAddresses(programs.stdout, ended, waitForLink), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function testSettings(
  dataDir: string,
  authority: Authority,
  receiverPorts: number[],
): Record<string, string> {
  return {
    GATEHOUSE_ENV_FILE: "",
    GATEHOUSE_DATA_DIR: dataDir,
    GATEWAY_PORT: "0",
    PORT: "0",
    WEBHOOK_ALLOW_CIDRS: "127.0.0.0/8",
    WEBHOOK_PORTS: ["443", ...receiverPorts].join(","),
    WEBHOOK_CA_FILE: authority.caFile,
    PUBLIC_STATUS: "on",
    CONSOLE_PSEUDO_LANGUAGE: "on",
    WEBHOOK_BACKOFF_BASE_MS: "200",
    WEBHOOK_BACKOFF_FACTOR: "2",
  };
}

/** The test that uses the provider starts it. */
function identityProviderSettings(port: number): Record<string, string> {
  return {
    OIDC_ISSUER: `http://127.0.0.1:${port}`,
    OIDC_CLIENT_ID: testClient.id,
    OIDC_CLIENT_SECRET: testClient.secret,
    OIDC_NAME: "Company login",
  };
}

type Addresses = Pick<Stack, "gatewayUrl" | "consoleUrl" | "setUpLink">;

/** Reads the addresses that the starter prints. The set-up link comes last. */
function readAddresses(
  output: NodeJS.ReadableStream,
  ended: Promise<void>,
  waitForLink: boolean,
): Promise<Addresses> {
  const found = Promise.withResolvers<Addresses>();
  const printed: Record<string, string> = {};
  createInterface({ input: output }).on("line", (line) => {
    const [, name, value] = /^(Gateway ready|Console ready|Set up): (\S+)$/.exec(line) ?? [];
    if (!name || !value) return console.log(line);
    printed[name] = value;
    const { "Gateway ready": gatewayUrl = "", "Console ready": consoleUrl, "Set up": setUpLink } = printed;
    if (consoleUrl && (setUpLink || !waitForLink))
      found.resolve({ gatewayUrl, consoleUrl, setUpLink: setUpLink ?? null });
  });
  void ended.then(() => found.reject(new Error("the programs ended before they were ready")));
  const timer = setTimeout(
    () => found.reject(new Error(`the programs were not ready after ${START_TIMEOUT_MS} ms`)),
    START_TIMEOUT_MS,
  );
  return found.promise.finally(() => clearTimeout(timer));
}

/** The programs under test must not see the settings of the person who runs the tests. */
function withoutSettings(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const settings =
    /^(GATEWAY_|GATEHOUSE_|WEBHOOK_|OIDC_|OWNER_|S3_|C2PA_|NEXTAUTH_|CONSOLE_|DATABASE_URL|AUTH_SECRET|PROVIDERS_FILE)/;
  const kept = Object.entries(environment).filter(([name]) => !settings.test(name));
  return Object.fromEntries(kept) as NodeJS.ProcessEnv;
}

/**
 * Ports that nothing listens on now. They are below those that the system gives to outgoing connections (32768 and up), which
 * could take a port before its server starts.
 */
async function freePorts(count: number): Promise<number[]> {
  const ports: number[] = [];
  while (ports.length < count) {
    const server = createServer().listen(randomInt(10_000, 32_000), "127.0.0.1");
    const listens = await once(server, "listening").catch(() => null);
    if (!listens) continue;
    const { port } = server.address() as { port: number };
    if (!ports.includes(port)) ports.push(port);
    await new Promise((resolve) => server.close(resolve));
  }
  return ports;
}
