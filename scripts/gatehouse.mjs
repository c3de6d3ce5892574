// The command line of Gatehouse: npm run -s gatehouse -- --help
import { checkout, loadEnvironment, requireNode } from "./runtime.mjs";

requireNode();
process.chdir(checkout);
loadEnvironment();
const { main } = await import("../gateway/cli/main.ts");
process.exitCode = await main(process.argv.slice(2));
