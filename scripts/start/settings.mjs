import { createServer } from "node:net";
import { ConfigError, readConfig } from "../../gateway/config.ts";
import { fail } from "../runtime.mjs";

/** What both programs are started with: the settings of gateway/config.ts, ports chosen, the secret shared. */
export async function readSettings(parts) {
  readOrFail();
  await choosePort("GATEWAY_PORT", "4000", parts.gateway);
  await choosePort("PORT", "3000", parts.console);
  const config = readOrFail();
  const consoleUrl = process.env.NEXTAUTH_URL?.trim() || config.consoleUrl;
  const gatewayUrl =
    process.env.GATEWAY_URL?.trim().replace(/(\/v1)?\/*$/, "") || `http://localhost:${config.port}`;
  return {
    config,
    consolePort: process.env.PORT?.trim() || "3000",
    shared: { AUTH_SECRET: config.secret, NEXT_TELEMETRY_DISABLED: "1" },
    forConsole: { NEXTAUTH_SECRET: config.secret, NEXTAUTH_URL: consoleUrl, GATEWAY_URL: gatewayUrl },
  };
}

function readOrFail() {
  try {
    return readConfig();
  } catch (error) {
    if (error instanceof ConfigError) fail(`Gatehouse cannot start: ${error.message}`);
    throw error;
  }
}

/** Refuses a port that is taken, and replaces 0 by a free one, which both programs then know. */
async function choosePort(name, fallback, needed) {
  const text = process.env[name]?.trim() || fallback;
  if (!needed) return;
  const { port, problem } = await tryPort(Number(text));
  if (problem === "EADDRINUSE")
    fail(
      `Port ${text} is in use by another program. Set ${name} to a free one, in the environment or in .env.`,
    );
  if (problem === "EACCES")
    fail(
      `Port ${text} needs rights that this user lacks. Set ${name} to one above 1023, in the environment or in .env.`,
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
