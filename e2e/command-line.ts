import { spawnSync } from "node:child_process";
import path from "node:path";
import type { Stack } from "./stack.ts";

const root = path.resolve(import.meta.dirname, "..");

/** A second account beside the owner's; does nothing when it is there already. */
export async function makeAccount(
  stack: Stack,
  { email, password }: { email: string; password: string },
): Promise<void> {
  const there = await fetch(`${stack.gatewayUrl}/account/sessions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email, password }),
  });
  await there.body?.cancel();
  if (there.ok) return;
  const words = ["scripts/gatehouse.mjs", "account", "create", "--email", email, "--password", password];
  const { status, stderr } = spawnSync(process.execPath, words, {
    cwd: root,
    encoding: "utf8",
    env: { ...process.env, GATEHOUSE_ENV_FILE: "", GATEHOUSE_DATA_DIR: stack.dataDir },
  });
  if (status !== 0) throw new Error(`account create ended with ${status}: ${stderr}`);
}
