// Finds the programs that the snippets for other languages need, or installs them: node scripts/ensure-languages.mjs
import { installWithApt, succeeds } from "./install/apt.ts";

/** Each program, the arguments to test it with, and its Debian package. */
const programs = [
  { name: "bash", words: ["--version"], package: "bash" },
  { name: "curl", words: ["--version"], package: "curl" },
  { name: "jq", words: ["--version"], package: "jq" },
  { name: "openssl", words: ["version"], package: "openssl" },
  { name: "python3", words: ["--version"], package: "python3" },
  { name: "go", words: ["version"], package: "golang-go" },
  { name: "php", words: ["--version"], package: "php-cli" },
];

const missing = () => programs.filter(({ name, words }) => !succeeds(name, words, "ignore"));

const before = missing();
if (before.length > 0) {
  console.log(`Installing ${before.map(({ name }) => name).join(", ")} for the snippets …`);
  installWithApt(before.map((program) => program.package));
}
const still = missing();
if (still.length > 0) {
  const packages = still.map((program) => program.package).join(" ");
  console.error(`The snippets cannot be tested without ${still.map(({ name }) => name).join(", ")}.`);
  console.error(`Install them and run this again (Debian: apt install ${packages}).`);
  process.exitCode = 1;
}
