import { spawnSync } from "node:child_process";
import path from "node:path";
import type { Stack } from "./stack.ts";

const root = path.resolve(import.meta.dirname, "..");

/** Creates a second account beside the owner's, unless it exists. */
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
  gatehouse(stack, ["account", "create", "--email", email, "--password", password]);
}

/** An account key of the owner, created on the command line. */
export function makeKey(stack: Stack): string {
  return gatehouse(stack, ["keys", "create", "--email", stack.owner.email, "--name", "command line"]).trim();
}

function gatehouse(stack: Stack, words: string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, ["scripts/gatehouse.mjs", ...words], {
    cwd: root,
    encoding: "utf8",
    env: { ...process.env, GATEHOUSE_ENV_FILE: "", GATEHOUSE_DATA_DIR: stack.dataDir },
  });
  if (status !== 0) throw new Error(`${words.slice(0, 2).join(" ")} ended with ${status}: ${stderr}`);
  return stdout;
}
