import { formatDuration } from "@/lib/format";

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
export async function verifyDelivery(input: VerifyInput): Promise<VerifyReport> {
  const reading = readSignatureHeader(input.header);
  if (!reading.ok) {
    const checks: VerifyCheck[] = [
      { name: "Header", state: "fail", text: reading.problem, fix: reading.fix },
      { name: "Timestamp", state: "skipped", text: "This check needs a valid header.", fix: null },
      { name: "Signature", state: "skipped", text: "This check needs a valid header.", fix: null },
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

const encoder = new TextEncoder();

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
function readSignatureHeader(pasted: string): HeaderReading {
  const notes: string[] = [];
  let text = pasted.trim();
  const named = /^x-svc-signature\s*:\s*/i.exec(text);
  if (named) text = text.slice(named[0].length);
  if (text === "") return refuse("The header is empty.", "Paste the value of x-svc-signature.");
  if (/^v1,/.test(text)) {
    return refuse(
      "This is the webhook-signature header of Standard Webhooks.",
      "Paste the value of x-svc-signature: it starts with t=.",
    );
  }
  if (/\s/.test(text))
    notes.push("The value contains spaces. Remove them: the gateway sends none, and libraries reject them.");
  const parts = text.split(",").map((part) => part.trim());
  const stamp = parts.find((part) => part.startsWith("t="))?.slice(2);
  const signatures = parts.filter((part) => part.startsWith("v1=")).map((part) => part.slice(3));
  if (stamp === undefined) return refuse("The t= part is missing.", "Copy the whole header: t=…,v1=….");
  if (!/^\d+$/.test(stamp)) {
    return refuse(
      `t=${stamp} is not a whole number of seconds.`,
      "Use the timestamp in Unix seconds, as it was sent.",
    );
  }
  const timestampSeconds = Number(stamp);
  if (timestampSeconds > millisecondsFrom) {
    return refuse(
      "The timestamp is in milliseconds.",
      "The gateway sends seconds. Do not convert the header.",
    );
  }
  if (signatures.length === 0) return refuse("The v1= part is missing.", "Copy the whole header: t=…,v1=….");
  const malformed = signatures.find((each) => !/^[0-9a-f]{64}$/.test(each));
  if (malformed !== undefined) return refuse(malformedText(malformed), "Copy the header again, unchanged.");
  return { ok: true, header: { timestampSeconds, signatures }, notes };
}

function refuse(problem: string, fix: string): HeaderReading {
  return { ok: false, problem, fix };
}

function malformedText(signature: string): string {
  if (/^[0-9a-f]{64}$/i.test(signature))
    return "The signature is in upper case. Use lower case, as it was sent.";
  if (/^[0-9a-f]*$/i.test(signature)) {
    return `The signature has ${signature.length} characters instead of 64. Copy it again.`;
  }
  return "The signature is not hexadecimal.";
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
async function explainMismatch(mismatch: Mismatch): Promise<Explanation> {
  for (const guess of guesses(mismatch)) {
    const payload = guess.payload === undefined ? mismatch.payload : guess.payload;
    const secret = guess.secret === undefined ? mismatch.secret : guess.secret;
    if (payload === null || secret === null || secret.length === 0) continue;
    const signature = toHex(await hmacSha256(secret, `${mismatch.timestampSeconds}.${payload}`));
    if (mismatch.signatures.includes(signature)) return { text: guess.text, fix: guess.fix };
  }
  return lastResort(mismatch);
}

function guesses({ payload, secret }: Mismatch): Guess[] {
  const rawBody = "Verify the raw request body, before any parser or middleware touches it.";
  const compact = reserialised(payload);
  const bareSecret = secret.trim();
  return [
    {
      secret: bareSecret,
      text: "The secret has extra spaces or a line break at its start or end.",
      fix: "Remove them. Check the .env line for quotes and trailing spaces.",
    },
    {
      secret: bareSecret.replace(/^(["'])(.*)\1$/, "$2"),
      text: "The secret is wrapped in quotes.",
      fix: "Remove the quotes around it.",
    },
    {
      secret: bareSecret.startsWith("whsec_") ? null : `whsec_${bareSecret}`,
      text: "The secret is missing its prefix whsec_.",
      fix: "Use the whole secret, including whsec_, as the key.",
    },
    {
      payload: payload.trim(),
      text: "The body has extra spaces or a line break at its start or end.",
      fix: rawBody,
    },
    {
      payload: payload.replaceAll("\r\n", "\n"),
      text: "The body's line endings were changed to CR LF.",
      fix: rawBody,
    },
    {
      payload: compact,
      text: "The body was reformatted: same JSON, different whitespace.",
      fix: `${rawBody} Parsing JSON and serializing it again changes its bytes.`,
    },
    {
      secret: fromBase64(bareSecret.replace(/^whsec_/, "")),
      text: "This signature was made for the webhook-signature header, with the decoded secret.",
      fix: "Use the whole secret as text for x-svc-signature; use the decoded part for webhook-signature.",
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

function lastResort({ payload, secret }: Mismatch): Explanation {
  if (!secret.trim().startsWith("whsec_")) {
    return {
      text: "No match. The secret does not start with whsec_, so it is not a signing secret.",
      fix: "Use the endpoint's signing secret, not an account key or endpoint id.",
    };
  }
  if (payload.trim() === "") return { text: "The body is empty.", fix: "Paste the raw request body." };
  if (reserialised(payload) === null) {
    return {
      text: "No match. The body is not complete JSON: part of it is missing or was changed.",
      fix: "Paste the whole raw body, from the first { to the last }.",
    };
  }
  return {
    text: "No match. The secret belongs to another endpoint or has expired, or the body was changed.",
    fix: "Compare the last four characters of the secret with the endpoint's page. If they match, compare the body with the delivery's Request tab.",
  };
}
