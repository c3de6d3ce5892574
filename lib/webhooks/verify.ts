import { formatDuration } from "../format.ts";
import { explainMismatch } from "./explain-mismatch.ts";
import { hmacSha256, toHex } from "./hmac.ts";
import { readSignatureHeader } from "./signature-header.ts";

/** How old, or how far ahead, a timestamp may be (contract: receivers allow 300 s). */
export const toleranceSeconds = 300;

export interface VerifyInput {
  /** The raw request body, byte for byte. */
  payload: string;
  /** The value of `x-svc-signature`. */
  header: string;
  secret: string;
  nowMs: number;
}

export interface VerifyCheck {
  name: "Header" | "Timestamp" | "Signature";
  state: "pass" | "fail" | "skipped";
  text: string;
  /** What to change when it failed. */
  fix: string | null;
}

export interface VerifyReport {
  valid: boolean;
  checks: VerifyCheck[];
  notes: string[];
}

/**
 * Verifies a delivery as a receiver must (docs/api.md, "Webhooks") and, when it does not hold, says which part is wrong.
 * Pure but for WebCrypto: nothing is sent or kept.
 */
export async function verifyDelivery(input: VerifyInput): Promise<VerifyReport> {
  const reading = readSignatureHeader(input.header);
  if (!reading.ok) {
    const checks: VerifyCheck[] = [
      { name: "Header", state: "fail", text: reading.problem, fix: reading.fix },
      { name: "Timestamp", state: "skipped", text: "Needs a valid header.", fix: null },
      { name: "Signature", state: "skipped", text: "Needs a valid header.", fix: null },
    ];
    return { valid: false, checks, notes: [] };
  }
  const { timestampSeconds, signatures } = reading.header;
  const several = signatures.length > 1 ? `, ${signatures.length} signatures (a secret was rotated)` : "";
  const checks: VerifyCheck[] = [
    { name: "Header", state: "pass", text: `Contains t and v1${several}.`, fix: null },
    checkTimestamp(timestampSeconds, input.nowMs),
    await checkSignature(input, timestampSeconds, signatures),
  ];
  return { valid: checks.every((check) => check.state === "pass"), checks, notes: reading.notes };
}

function checkTimestamp(timestampSeconds: number, nowMs: number): VerifyCheck {
  const ageSeconds = Math.round(nowMs / 1000) - timestampSeconds;
  const exact = new Date(timestampSeconds * 1000).toISOString();
  if (ageSeconds > toleranceSeconds) {
    return {
      name: "Timestamp",
      state: "fail",
      text: `Too old: signed at ${exact}, ${formatDuration(ageSeconds * 1000)} ago; receivers allow ${toleranceSeconds} s.`,
      fix: "This is expected for a past delivery from the log. If a new delivery fails here, check your server's clock.",
    };
  }
  if (ageSeconds < -toleranceSeconds) {
    return {
      name: "Timestamp",
      state: "fail",
      text: `In the future: signed at ${exact}, ${formatDuration(-ageSeconds * 1000)} ahead of this computer's clock.`,
      fix: "Check the clock of the computer that verifies the signature.",
    };
  }
  return { name: "Timestamp", state: "pass", text: `Recent: ${Math.max(0, ageSeconds)} s old.`, fix: null };
}

async function checkSignature(
  { payload, secret }: VerifyInput,
  timestampSeconds: number,
  signatures: string[],
): Promise<VerifyCheck> {
  if (secret === "") {
    return {
      name: "Signature",
      state: "fail",
      text: "The secret is missing.",
      fix: "Paste the endpoint's signing secret.",
    };
  }
  const expected = toHex(await hmacSha256(secret, `${timestampSeconds}.${payload}`));
  if (signatures.includes(expected)) {
    return {
      name: "Signature",
      state: "pass",
      text: "Matches: this body was signed with this secret.",
      fix: null,
    };
  }
  const { text, fix } = await explainMismatch({ payload, secret, timestampSeconds, signatures });
  return { name: "Signature", state: "fail", text, fix };
}
