// Finds the programs that the long tests start, or installs them: node scripts/ensure-long.mjs

import { ensureExtraPackage } from "./install/ensure-extra-package.ts";
import { ensurePrograms } from "./install/ensure-programs.mjs";
import { inspector, puppeteer } from "./install/extra-packages.ts";
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
ensureExtraPackage("the test with the MCP Inspector", inspector);
ensureExtraPackage("the journeys", puppeteer);
