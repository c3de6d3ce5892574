/** The parts of an `x-svc-signature` value: `t=<unix seconds>,v1=<hex>[,v1=<hex>]`. */
export interface SignatureHeader {
  timestampSeconds: number;
  signatures: string[];
}

export type HeaderReading =
  | { ok: true; header: SignatureHeader; notes: string[] }
  | { ok: false; problem: string; fix: string };

const millisecondsFrom = 100_000_000_000;

/** Reads what a person pasted: tolerant where a library is not, and says so in `notes`. */
export function readSignatureHeader(pasted: string): HeaderReading {
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
