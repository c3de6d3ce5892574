import type { Attempt } from "#contract/webhook.ts";

/** Headers that curl sets itself, or that would break the copied command. */
const omittedHeaders = new Set([
  "host",
  "content-length",
  "connection",
  "transfer-encoding",
  "accept-encoding",
]);

/** The attempt's request as a curl command. It contains the signature that was sent, never the secret. */
export function attemptAsCurl(attempt: Pick<Attempt, "url" | "request_headers" | "request_body">): string {
  const headers = Object.entries(attempt.request_headers ?? {})
    .filter(([name]) => !omittedHeaders.has(name.toLowerCase()))
    .map(([name, value]) => `--header ${quote(`${name}: ${value}`)}`);
  const parts = [`curl --request POST ${quote(attempt.url)}`, ...headers];
  if (attempt.request_body !== null) parts.push(`--data-binary ${quote(attempt.request_body)}`);
  return parts.join(" \\\n  ");
}

/** A POSIX shell word in single quotes, which escape everything except themselves. */
function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
