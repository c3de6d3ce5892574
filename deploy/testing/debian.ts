import { installWithApt, succeeds } from "../../scripts/install/apt.ts";

/**
 * Finds programs, each with its Debian package. As root, installs missing packages. Throws if a program is
 * still missing.
 */
export function needPrograms(programs: Record<string, string>): void {
  const missing = () => Object.keys(programs).filter((name) => !succeeds(name, ["--version"], "ignore"));
  const packagesOf = (names: string[]) => [...new Set(names.map((name) => programs[name] ?? name))];
  if (missing().length > 0) installWithApt(packagesOf(missing()));
  const still = missing();
  if (process.getuid?.() === 0 && still.length === 0) return;
  throw new Error(
    `This test runs as root${still.length > 0 ? `, with ${still.join(", ")} (Debian: apt install ${packagesOf(still).join(" ")})` : ""}.`,
  );
}
