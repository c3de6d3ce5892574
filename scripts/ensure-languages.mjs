// Finds the programs that the snippets for other languages need, or installs them: node scripts/ensure-languages.mjs
import { ensurePrograms } from "./install/ensure-programs.mjs";

ensurePrograms("the tests of the snippets", [
  { name: "bash", words: ["--version"], package: "bash" },
  { name: "curl", words: ["--version"], package: "curl" },
  { name: "openssl", words: ["version"], package: "openssl" },
  { name: "python3", words: ["--version"], package: "python3" },
  { name: "go", words: ["version"], package: "golang-go" },
  { name: "php", words: ["--version"], package: "php-cli" },
]);
