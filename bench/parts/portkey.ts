import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { installPackages } from "./install.ts";
import { freePort, type Program, startNode } from "./processes.ts";

/** With newer versions of its server libraries, every stream of Portkey 1.15.2 fails with 500. */
const pins = { hono: "4.9.7", "@hono/node-server": "1.13.5", "@hono/node-ws": "1.2.0" };

/** Portkey listens on every address and has no setting to change that. */
const loopback = `
const { Server } = require("node:net");
const { listen } = Server.prototype;
Server.prototype.listen = function (...args) {
  if (args[0] && typeof args[0] === "object" && args[0].port != null) args[0] = { ...args[0], host: "127.0.0.1" };
  else if (typeof args[0] === "number") args.splice(1, typeof args[1] === "string" ? 1 : 0, "127.0.0.1");
  return listen.apply(this, args);
};
`;

/**
 * Installs Portkey's gateway 1.15.2 into `folder` and starts it on the loopback address. Returns a reason if
 * it is not available.
 */
export async function startPortkey(folder: string): Promise<Program | { missing: string }> {
  mkdirSync(folder, { recursive: true });
  const entry = path.join(folder, "node_modules/@portkey-ai/gateway/build/start-server.js");
  try {
    if (!existsSync(entry))
      installPackages(folder, {
        dependencies: { "@portkey-ai/gateway": "1.15.2", ...pins },
        overrides: pins,
      });
    const preload = path.join(folder, "loopback.cjs");
    writeFileSync(preload, loopback);
    const port = await freePort();
    return await startNode(["--require", preload, entry, `--port=${port}`, "--headless"], {
      environment: {},
      logFile: path.join(folder, "portkey.log"),
      port,
      url: `http://127.0.0.1:${port}/`,
      cwd: folder,
    });
  } catch (error) {
    return { missing: String(error).split("\n").slice(0, 2).join(": ") };
  }
}
