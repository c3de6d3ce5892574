import { installWithApt, succeeds } from "./apt.ts";

/**
 * Finds programs, each with arguments that make it answer, or installs their Debian packages. If that is not
 * possible, sets the exit code and prints what to install.
 */
export function ensurePrograms(purpose, programs) {
  const missing = () => programs.filter(({ name, words }) => !succeeds(name, words, "ignore"));
  const packagesOf = (some) => [...new Set(some.flatMap((program) => program.package.split(" ")))];
  const before = missing();
  if (before.length > 0) {
    console.log(`Installing ${before.map(({ name }) => name).join(", ")} for ${purpose} …`);
    installWithApt(packagesOf(before));
  }
  const still = missing();
  if (still.length === 0) return;
  console.error(`${purpose} cannot run without ${still.map(({ name }) => name).join(", ")}.`);
  console.error(`Install them and run this again (Debian: apt install ${packagesOf(still).join(" ")}).`);
  process.exitCode = 1;
}
