import { formatDuration } from "@/lib/format";
import type { Words } from "@/messages/words";

/** Maximum distance of a timestamp into the past or future (contract: receivers allow 300 s). */
const toleranceSeconds = 300;

interface VerifyInput {
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
  /** The change that would fix a failed check. */
  fix: string | null;
}

export interface VerifyReport {
  valid: boolean;
  checks: VerifyCheck[];
  notes: string[];
}

/**
 * Verifies a delivery as a receiver must (docs/webhooks.md, "Webhooks"). If it is invalid, names the wrong part.
 * Nothing is sent or stored; the only dependency is WebCrypto.
 */
export async function verifyDelivery(input: VerifyInput, t: Words<"webhooks">): Promise<VerifyReport> {
  const reading = readSignatureHeader(input.header, t);
  if (!reading.ok) {
    const checks: VerifyCheck[] = [
      { name: "Header", state: "fail", text: reading.problem, fix: reading.fix },
      { name: "Timestamp", state: "skipped", text: t("needsAValidHeader"), fix: null },
      { name: "Signature", state: "skipped", text: t("needsAValidHeader"), fix: null },
    ];
    return { valid: false, checks, notes: [] };
  }
  const { timestampSeconds, signatures } = reading.header;
  const checks: VerifyCheck[] = [
    { name: "Header", state: "pass", text: t("headerIsValid", { signatures: signatures.length }), fix: null },
    checkTimestamp(timestampSeconds, input.nowMs, t),
    await checkSignature(input, timestampSeconds, signatures, t),
  ];
  return { valid: checks.every((check) => check.state === "pass"), checks, notes: reading.notes };
}

function checkTimestamp(timestampSeconds: number, nowMs: number, t: Words<"webhooks">): VerifyCheck {
  const ageSeconds = Math.round(nowMs / 1000) - timestampSeconds;
  const exact = new Date(timestampSeconds * 1000).toISOString();
  if (ageSeconds > toleranceSeconds) {
    return {
      name: "Timestamp",
      state: "fail",
      text: t("timestampTooOld", {
        exact,
        age: formatDuration(ageSeconds * 1000, t.language),
        tolerance: String(toleranceSeconds),
      }),
      fix: t("timestampTooOldFix"),
    };
  }
  if (ageSeconds < -toleranceSeconds) {
    return {
      name: "Timestamp",
      state: "fail",
      text: t("timestampInFuture", { exact, ahead: formatDuration(-ageSeconds * 1000, t.language) }),
      fix: t("timestampInFutureFix"),
    };
  }
  const text = t("timestampRecent", { seconds: String(Math.max(0, ageSeconds)) });
  return { name: "Timestamp", state: "pass", text, fix: null };
}

const encoder = new TextEncoder();

async function checkSignature(
  { payload, secret }: VerifyInput,
  timestampSeconds: number,
  signatures: string[],
  t: Words<"webhooks">,
): Promise<VerifyCheck> {
  if (secret === "") {
    return {
      name: "Signature",
      state: "fail",
      text: t("secretMissing"),
      fix: t("secretMissingFix"),
    };
  }
  const expected = toHex(await hmacSha256(secret, `${timestampSeconds}.${payload}`));
  if (signatures.includes(expected)) {
    return {
      name: "Signature",
      state: "pass",
      text: t("signatureMatches"),
      fix: null,
    };
  }
  const { text, fix } = await explainMismatch({ payload, secret, timestampSeconds, signatures }, t);
  return { name: "Signature", state: "fail", text, fix };
}

/** HMAC-SHA256 of `text` with `key`. It uses WebCrypto, so that browser and tests compute the same. */
export async function hmacSha256(key: string | Uint8Array<ArrayBuffer>, text: string): Promise<Uint8Array> {
  const bytes = typeof key === "string" ? encoder.encode(key) : key;
  const imported = await crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, [
    "sign",
  ]);
  return new Uint8Array(await crypto.subtle.sign("HMAC", imported, encoder.encode(text)));
}

export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The parts of an `x-svc-signature` value: `t=<unix seconds>,v1=<hex>[,v1=<hex>]`. */
interface SignatureHeader {
  timestampSeconds: number;
  signatures: string[];
}

type HeaderReading =
  | { ok: true; header: SignatureHeader; notes: string[] }
  | { ok: false; problem: string; fix: string };

const millisecondsFrom = 100_000_000_000;

/** Parses a pasted value, more tolerantly than libraries do. `notes` lists the tolerated faults. */
function readSignatureHeader(pasted: string, t: Words<"webhooks">): HeaderReading {
  const notes: string[] = [];
  let text = pasted.trim();
  const named = /^x-svc-signature\s*:\s*/i.exec(text);
  if (named) text = text.slice(named[0].length);
  if (text === "") return refuse(t("headerEmpty"), t("headerEmptyFix"));
  if (/^v1,/.test(text)) {
    return refuse(t("headerOfStandardWebhooks"), t("headerOfStandardWebhooksFix"));
  }
  if (/\s/.test(text)) notes.push(t("headerHasSpaces"));
  const parts = text.split(",").map((part) => part.trim());
  const stamp = parts.find((part) => part.startsWith("t="))?.slice(2);
  const signatures = parts.filter((part) => part.startsWith("v1=")).map((part) => part.slice(3));
  if (stamp === undefined) return refuse(t("headerWithoutTime"), t("copyTheWholeHeader"));
  if (!/^\d+$/.test(stamp)) {
    return refuse(t("headerTimeNotWhole", { stamp }), t("headerTimeNotWholeFix"));
  }
  const timestampSeconds = Number(stamp);
  if (timestampSeconds > millisecondsFrom) {
    return refuse(t("headerInMilliseconds"), t("headerInMillisecondsFix"));
  }
  if (signatures.length === 0) return refuse(t("headerWithoutSignature"), t("copyTheWholeHeader"));
  const malformed = signatures.find((each) => !/^[0-9a-f]{64}$/.test(each));
  if (malformed !== undefined) return refuse(malformedText(malformed, t), t("copyTheHeaderAgain"));
  return { ok: true, header: { timestampSeconds, signatures }, notes };
}

function refuse(problem: string, fix: string): HeaderReading {
  return { ok: false, problem, fix };
}

function malformedText(signature: string, t: Words<"webhooks">): string {
  if (/^[0-9a-f]{64}$/i.test(signature)) return t("signatureInUpperCase");
  if (/^[0-9a-f]*$/i.test(signature)) return t("signatureLength", { length: String(signature.length) });
  return t("signatureNotHexadecimal");
}

interface Mismatch {
  payload: string;
  secret: string;
  timestampSeconds: number;
  signatures: string[];
}

interface Explanation {
  text: string;
  fix: string;
}

interface Guess extends Explanation {
  payload?: string | null;
  secret?: string | Uint8Array<ArrayBuffer> | null;
}

/**
 * Explains why no signature matches: tries common mistakes one by one, and names the first that fits. A wrong
 * secret cannot be distinguished from a changed value; the last explanation says so.
 */
async function explainMismatch(mismatch: Mismatch, t: Words<"webhooks">): Promise<Explanation> {
  for (const guess of guesses(mismatch, t)) {
    const payload = guess.payload === undefined ? mismatch.payload : guess.payload;
    const secret = guess.secret === undefined ? mismatch.secret : guess.secret;
    if (payload === null || secret === null || secret.length === 0) continue;
    const signature = toHex(await hmacSha256(secret, `${mismatch.timestampSeconds}.${payload}`));
    if (mismatch.signatures.includes(signature)) return { text: guess.text, fix: guess.fix };
  }
  return lastResort(mismatch, t);
}

function guesses({ payload, secret }: Mismatch, t: Words<"webhooks">): Guess[] {
  const rawBody = t("verifyTheRawBody");
  const compact = reserialised(payload);
  const bareSecret = secret.trim();
  return [
    {
      secret: bareSecret,
      text: t("secretHasSpaces"),
      fix: t("secretHasSpacesFix"),
    },
    {
      secret: bareSecret.replace(/^(["'])(.*)\1$/, "$2"),
      text: t("secretInQuotes"),
      fix: t("secretInQuotesFix"),
    },
    {
      secret: bareSecret.startsWith("whsec_") ? null : `whsec_${bareSecret}`,
      text: t("secretWithoutPrefix"),
      fix: t("secretWithoutPrefixFix"),
    },
    {
      payload: payload.trim(),
      text: t("bodyHasSpaces"),
      fix: rawBody,
    },
    {
      payload: payload.replaceAll("\r\n", "\n"),
      text: t("bodyHasOtherLineEndings"),
      fix: rawBody,
    },
    {
      payload: compact,
      text: t("bodyWasReformatted"),
      fix: t("bodyWasReformattedFix"),
    },
    {
      secret: fromBase64(bareSecret.replace(/^whsec_/, "")),
      text: t("secretWasDecoded"),
      fix: t("secretWasDecodedFix"),
    },
  ];
}

/** Decodes standard base64. Null if the text is invalid. */
function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
  } catch {
    return null;
  }
}

/** The body as compact JSON. Null if it is not JSON. */
function reserialised(payload: string): string | null {
  try {
    return JSON.stringify(JSON.parse(payload));
  } catch {
    return null;
  }
}

function lastResort({ payload, secret }: Mismatch, t: Words<"webhooks">): Explanation {
  if (!secret.trim().startsWith("whsec_")) {
    return {
      text: t("notASigningSecret"),
      fix: t("notASigningSecretFix"),
    };
  }
  if (payload.trim() === "") return { text: t("bodyEmpty"), fix: t("bodyEmptyFix") };
  if (reserialised(payload) === null) {
    return {
      text: t("bodyIncomplete"),
      fix: t("bodyIncompleteFix"),
    };
  }
  return {
    text: t("otherSecretOrBody"),
    fix: t("otherSecretOrBodyFix"),
  };
}
