import { deriveKeys, type MasterSecret } from "./master-secret.ts";

/**
 * The secrets that encrypt the console's cookies, the current one first: derived, so that the console's process never
 * holds the keys that sign URLs and open secrets.
 */
export function consoleSecrets(master: MasterSecret): [string, ...string[]] {
  const [current, ...previous] = deriveKeys(master, "gatehouse console");
  return [textOf(current), ...previous.map(textOf)];
}

function textOf(key: Buffer): string {
  return key.toString("base64url");
}
