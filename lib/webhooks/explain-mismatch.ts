import { fromBase64, hmacSha256, toHex } from "./hmac.ts";

interface Mismatch {
  payload: string;
  secret: string;
  timestampSeconds: number;
  signatures: string[];
}

interface Explanation {
  text: string;
  mend: string;
}

interface Guess extends Explanation {
  payload?: string | null;
  secret?: string | Uint8Array<ArrayBuffer> | null;
}

/**
 * Why no signature fits: tries the mistakes that people make one by one, and names the first that makes it fit.
 * A wrong secret and a changed value cannot be told apart; the last answer says so.
 */
export async function explainMismatch(mismatch: Mismatch): Promise<Explanation> {
  for (const guess of guesses(mismatch)) {
    const payload = guess.payload === undefined ? mismatch.payload : guess.payload;
    const secret = guess.secret === undefined ? mismatch.secret : guess.secret;
    if (payload === null || secret === null || secret.length === 0) continue;
    const signature = toHex(await hmacSha256(secret, `${mismatch.timestampSeconds}.${payload}`));
    if (mismatch.signatures.includes(signature)) return { text: guess.text, mend: guess.mend };
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
      text: "The secret has spaces or a line break around it.",
      mend: "Copy the secret without them; check the .env line for quotes and trailing spaces.",
    },
    {
      secret: bareSecret.replace(/^(["'])(.*)\1$/, "$2"),
      text: "The secret is wrapped in quotes.",
      mend: "Remove the quotes around it.",
    },
    {
      secret: bareSecret.startsWith("whsec_") ? null : `whsec_${bareSecret}`,
      text: "The secret lacks its beginning, whsec_.",
      mend: "Use the whole secret, whsec_ included, as the key.",
    },
    {
      payload: payload.trim(),
      text: "The body has spaces or a line break around it that were not sent.",
      mend: rawBody,
    },
    {
      payload: payload.replaceAll("\r\n", "\n"),
      text: "The body's line ends were changed to CR LF.",
      mend: rawBody,
    },
    {
      payload: compact,
      text: "The body was formatted anew: the same JSON, other spaces.",
      mend: `${rawBody} Parsing and printing JSON changes its bytes.`,
    },
    {
      secret: fromBase64(bareSecret.replace(/^whsec_/, "")),
      text: "The signature was made with the decoded secret, as the Standard Webhooks headers are.",
      mend: "For x-svc-signature the key is the whole secret as text; for webhook-signature it is the decoded part.",
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
      text: "No match, and the secret does not begin with whsec_: it is not a signing secret.",
      mend: "Use the endpoint's signing secret, not an account key or the endpoint's id.",
    };
  }
  if (payload.trim() === "") return { text: "The body is empty.", mend: "Paste the raw request body." };
  if (reserialised(payload) === null) {
    return {
      text: "No match, and the body is not complete JSON: part of it is missing or was changed.",
      mend: "Paste the whole raw body, from the first { to the last }.",
    };
  }
  return {
    text: "No match: the secret belongs to another endpoint (or was rotated out), or the body was changed.",
    mend: "Compare the secret's last four characters with the endpoint's page. If they agree, compare the body with the delivery's Request tab.",
  };
}
