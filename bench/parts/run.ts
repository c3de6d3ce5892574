import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { stopPrograms } from "./processes.ts";

/** Runs a benchmark in its own folder, and always removes its programs and files. */
export async function runBench(measure: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), "gatehouse-bench-"));
  const cleanUp = async () => {
    await stopPrograms();
    rmSync(folder, { recursive: true, force: true });
  };
  // A browser may still be writing into the folder, which then cannot be removed.
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.once(signal, () => void cleanUp().finally(() => process.exit(1)));
  try {
    await measure(folder);
  } catch (error) {
    console.error(error);
    process.exitCode = 1;
  } finally {
    await cleanUp();
  }
  process.exit();
}
