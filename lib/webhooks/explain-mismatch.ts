import { fromBase64, hmacSha256, toHex } from "./hmac.ts";

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
 * Why no signature matches: tries common mistakes one by one, and names the first that explains it.
 * A wrong secret and a changed value cannot be told apart; the last answer says so.
 */
export async function explainMismatch(mismatch: Mismatch): Promise<Explanation> {
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

/** The body as a JSON printer without spaces writes it; null when it is no JSON. */
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
