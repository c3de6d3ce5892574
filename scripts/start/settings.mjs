import { createServer } from "node:net";
import { readConfig } from "../../gateway/platform/core/config.ts";
import { consoleSecrets } from "../../gateway/platform/core/console-secret.ts";
import {
  allAddresses,
  isForThisMachine,
  isMarked,
  isNewFolder,
  loopback,
} from "../../gateway/platform/core/listen-host.ts";
import { ConfigError } from "../../gateway/platform/core/setting-reader.ts";
import { fail } from "../runtime.mjs";
import { consoleEnvironment } from "./console-environment.mjs";

/** Minimum length of CONSOLE_SECRET. */
const MIN_SECRET_LENGTH = 32;

/**
 * The environment of each program: the settings of gateway/platform/core/config.ts, chosen ports, derived
 * secrets.
 */
export async function readSettings(parts) {
  const { dataDir } = readOrFail(parts);
  const isFirstStart = parts.gateway && isNewFolder(dataDir);
  await choosePort("GATEWAY_PORT", "4000", parts.gateway);
  await choosePort("PORT", "3000", parts.console);
  const config = readOrFail(parts);
  const consoleUrl = process.env.NEXTAUTH_URL?.trim() || config.consoleUrl;
  const gatewayUrl =
    process.env.GATEWAY_URL?.trim().replace(/(\/v1)?\/*$/, "") || originOf(config.host, config.port);
  const consolePort = process.env.PORT?.trim() || "3000";
  const consoleHost = hostOfConsole(parts, config);
  return {
    config,
    consolePort,
    consoleHost,
    consoleOrigin: originOf(consoleHost, consolePort),
    isFirstStart,
    forGateway: { ...process.env, AUTH_SECRET: config.secret, GATEWAY_HOST: config.host },
    forConsole: consoleEnvironment({
      ...process.env,
      ...cookieSecrets(config),
      NEXTAUTH_URL: consoleUrl,
      GATEWAY_URL: gatewayUrl,
    }),
  };
}

/**
 * The address on which the console listens. Null for all addresses. A console without a gateway may have its
 * gateway's data elsewhere, so a missing data folder does not mean a new installation.
 */
function hostOfConsole(parts, { dataDir }) {
  const given = process.env.CONSOLE_HOST?.trim();
  if (given) return given;
  const isKnown = parts.gateway || isMarked(dataDir);
  return isKnown && isForThisMachine(process.env, dataDir) ? loopback : null;
}

/** The address at which this machine reaches a program that listens on `host`. */
function originOf(host, port) {
  const isLocal = [null, loopback, allAddresses, "::"].includes(host);
  return `http://${isLocal ? "localhost" : host.includes(":") ? `[${host}]` : host}:${port}`;
}

/** CONSOLE_SECRET if set, otherwise derived from the master secret. */
function cookieSecrets(config) {
  const given = process.env.CONSOLE_SECRET?.trim();
  if (given && given.length < MIN_SECRET_LENGTH)
    fail(
      `Gatehouse cannot start: CONSOLE_SECRET must have at least ${MIN_SECRET_LENGTH} characters, not ${given.length}.`,
    );
  if (given) return {};
  const [current, previous] = consoleSecrets(config);
  return { CONSOLE_SECRET: current, ...(previous && { CONSOLE_SECRET_PREVIOUS: previous }) };
}

function readOrFail(parts) {
  try {
    return readConfig(parts.gateway ? process.env : consoleAlone(process.env));
  } catch (error) {
    if (error instanceof ConfigError) fail(`Gatehouse cannot start: ${error.message}`);
    throw error;
  }
}

/** A console without a gateway opens no database, and needs no master secret if it has its own secret. */
function consoleAlone({ DATABASE_URL: _database, ...environment }) {
  return { AUTH_SECRET: environment.CONSOLE_SECRET, ...environment };
}

/** Refuses a port in use, and replaces 0 by a free port, which both programs get. */
async function choosePort(name, fallback, needed) {
  const text = process.env[name]?.trim() || fallback;
  if (!needed) return;
  const { port, problem } = await tryPort(Number(text));
  if (problem === "EADDRINUSE")
    fail(
      `Port ${text} is in use by another program. Set ${name} to a free port, in the environment or in .env.`,
    );
  if (problem === "EACCES")
    fail(
      `Port ${text} needs rights that this user does not have. Set ${name} to a port above 1023, in the environment or in .env.`,
    );
  if (port) process.env[name] = String(port);
}

function tryPort(port) {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", (error) => resolve({ port: null, problem: error.code }));
    server.listen(port, () => {
      const chosen = server.address().port;
      server.close(() => resolve({ port: chosen, problem: null }));
    });
  });
}
