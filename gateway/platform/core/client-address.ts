import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";
import { isIP } from "node:net";

const purpose = "gatehouse client address";
/** Allowed clock difference between console and gateway. */
const validMs = 300_000;
const form = /^t=(\d{1,12}),a=([0-9A-Fa-f.:]{2,45}),v1=([0-9a-f]{64})$/;

/**
 * The header with which the console passes on a browser's address, signed with a key derived from the console's secret.
 */
export function signClientAddress(secret: string, address: string, nowMs = Date.now()): string {
  const seconds = Math.floor(nowMs / 1000);
  return `t=${seconds},a=${address},v1=${signature(secret, seconds, address).toString("hex")}`;
}

/** The address in such a header; null when the signature is invalid or too old. */
export function readClientAddress(
  secrets: readonly string[],
  text: string,
  nowMs = Date.now(),
): string | null {
  const [, time = "", address = "", given = ""] = form.exec(text) ?? [];
  if (isIP(address) === 0 || Math.abs(nowMs - Number(time) * 1000) > validMs) return null;
  const bytes = Buffer.from(given, "hex");
  const isSigned = secrets.some((secret) => timingSafeEqual(signature(secret, Number(time), address), bytes));
  return isSigned ? address : null;
}

function signature(secret: string, seconds: number, address: string): Buffer {
  const key = Buffer.from(hkdfSync("sha256", secret, "", purpose, 32));
  return createHmac("sha256", key).update(`${seconds}.${address}`).digest();
}
