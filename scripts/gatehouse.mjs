// The command line of Gatehouse: npm run -s gatehouse -- --help
import module from "node:module";
import { compileCache, home, loadEnvironment, requireNode } from "./runtime.mjs";

requireNode("npm run -s gatehouse -- --help");
module.enableCompileCache(compileCache);
process.chdir(home);
loadEnvironment();
const { main } = await import("../gateway/edges/cli/main.ts");
process.exitCode = await main(process.argv.slice(2));
