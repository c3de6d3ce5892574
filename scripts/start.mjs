// Starts Gatehouse: node scripts/start.mjs [gateway | console] [--dev] (npm start, npm run start:gateway, …)
import module from "node:module";
import { compileCache, fail, home, loadEnvironment, requireNode } from "./runtime.mjs";

const HELP = `npm start                  gateway and console
npm run start:gateway      the gateway only
npm run start:console      the console only
npm run dev                both, restarting and reloading on changes

Settings come from the environment and from .env; .env.example lists them all.
With GATEWAY_URL set, "npm start" starts only the console, for that gateway.
The first start makes the database in .data/ and builds the console: half a minute
to three minutes, up to six on a busy machine. Ctrl-C ends everything.`;

const words = process.argv.slice(2);
if (words.includes("--help") || words.includes("-h")) {
  console.log(HELP);
  process.exit(0);
}
const unknown = words.find((word) => !["gateway", "console", "--dev"].includes(word));
if (unknown) fail(`There is no option "${unknown}".`, "", HELP);

requireNode("npm start");
module.enableCompileCache(compileCache);
process.chdir(home);
loadEnvironment();

const only = words.find((word) => word === "gateway" || word === "console");
const dev = words.includes("--dev");
const elsewhere = Boolean(process.env.GATEWAY_URL?.trim());
const parts = { gateway: only ? only === "gateway" : !elsewhere, console: only !== "gateway" };
const { run } = await import("./start/run.mjs");
process.exitCode = await run(parts, { dev });
