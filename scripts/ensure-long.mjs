// Finds the programs that the long tests start, or installs them: node scripts/ensure-long.mjs
import { inspector, puppeteer } from "./install/beside.ts";
import { ensureBeside } from "./install/ensure-beside.ts";
import { ensurePrograms } from "./install/ensure-programs.mjs";
import { swift } from "./install/swift.mjs";

ensurePrograms("the tests of the snippets", [
  { name: "bash", words: ["--version"], package: "bash" },
  { name: "curl", words: ["--version"], package: "curl" },
  { name: "openssl", words: ["version"], package: "openssl" },
  { name: "python3", words: ["--version"], package: "python3" },
  { name: "go", words: ["version"], package: "golang-go" },
  { name: "php", words: ["--version"], package: "php-cli" },
]);
ensurePrograms("the test of the alarms", [
  { name: "prometheus", words: ["--version"], package: "prometheus" },
  { name: "promtool", words: ["--version"], package: "prometheus" },
  { name: "prometheus-alertmanager", words: ["--version"], package: "prometheus-alertmanager" },
]);
ensurePrograms("the test with OpenStack Swift", swift);
ensurePrograms("the journeys in Firefox", [
  { name: "firefox-esr", words: ["--version"], package: "firefox-esr" },
]);
ensureBeside("the test with the MCP Inspector", inspector);
ensureBeside("the journeys", puppeteer);
