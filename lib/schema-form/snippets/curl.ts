import { operationPaths } from "#contract/catalog-constants.ts";
import { keyVariable } from "../../key-variable.ts";
import { isAsync, type SnippetRequest, streams } from "./snippet.ts";

/** The request for a POSIX shell with curl. */
export function curlSnippet(request: SnippetRequest): string {
  const { operation, body, baseUrl } = request;
  const url = `${baseUrl}${operationPaths[operation.api_type]}`;
  const options = [
    `-H "Authorization: Bearer $${keyVariable}"`,
    `-H "Content-Type: application/json"`,
    ...(streams(request) ? ["--no-buffer"] : []),
    ...(operation.api_type === "text-to-speech" ? ["--output speech.wav"] : []),
  ];
  // A here-document takes the body as it is: no quote in it needs an escape.
  const call = `curl -sS ${url} \\\n  ${options.join(" \\\n  ")} \\\n  --data-binary @- <<'JSON'\n${JSON.stringify(body, null, 2)}\nJSON`;
  if (!isAsync(request)) return call;
  return `${call}\n\n# The answer names a prediction. Ask until its status is succeeded, failed or canceled:\n# curl -sS ${baseUrl}/predictions/<id> -H "Authorization: Bearer $${keyVariable}"`;
}
