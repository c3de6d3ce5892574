import type { CatalogOperation } from "#contract/catalog.ts";
import { operationPaths } from "#contract/catalog-constants.ts";
import { keyVariable } from "@/lib/key-variable";
import { isObject, type JsonObject } from "../json.ts";

/** The request in every language of the Code tab. */
export function snippetsFor(request: SnippetRequest): { label: string; language: string; code: string }[] {
  return [
    { label: "curl", language: "bash", code: curlSnippet(request) },
    { label: "Node.js", language: "javascript", code: nodeSnippet(request) },
    { label: "Python", language: "python", code: pythonSnippet(request) },
  ];
}

interface SnippetRequest {
  operation: Pick<CatalogOperation, "api_type" | "execution_mode">;
  body: JsonObject;
  /** The gateway's public address, which ends with `/v1`. */
  baseUrl: string;
}

const streams = ({ operation, body }: SnippetRequest): boolean =>
  operation.api_type === "chat-completions" && body.stream === true;

const isAsync = ({ operation }: SnippetRequest): boolean => operation.execution_mode === "async";

function indented(text: string, spaces: number): string {
  return text.replaceAll("\n", `\n${" ".repeat(spaces)}`);
}

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
  // In a here-document, quotes in the body need no escaping.
  const call = `curl -sS --fail-with-body ${url} \\\n  ${options.join(" \\\n  ")} \\\n  --data-binary @- <<'JSON'\n${JSON.stringify(body, null, 2)}\nJSON`;
  if (!isAsync(request)) return call;
  return `${call}\n\n# The answer names a prediction. Poll it until its status is succeeded, failed or canceled:\n# curl -sS ${baseUrl}/predictions/<id> -H "Authorization: Bearer $${keyVariable}"`;
}

/**
 * The request for Node 20 and later: with the openai package if the route is compatible with it, otherwise
 * with fetch.
 */
function nodeSnippet(request: SnippetRequest): string {
  return usesOpenai(request) ? openaiSnippet(request) : fetchSnippet(request);
}

function usesOpenai({ operation }: SnippetRequest): boolean {
  const { api_type: apiType, execution_mode: mode } = operation;
  return (
    apiType === "chat-completions" ||
    apiType === "text-to-speech" ||
    (apiType === "image-generation" && mode === "sync")
  );
}

function openaiSnippet(request: SnippetRequest): string {
  const body = JSON.stringify(request.body, null, 2);
  return `import OpenAI from "openai";

const client = new OpenAI({
  baseURL: "${request.baseUrl}",
  apiKey: process.env.${keyVariable},
});

${openaiCall(request, body)}`;
}

function openaiCall(request: SnippetRequest, body: string): string {
  if (request.operation.api_type === "text-to-speech")
    return `const speech = await client.audio.speech.create(${body});
const { writeFile } = await import("node:fs/promises");
await writeFile("speech.wav", Buffer.from(await speech.arrayBuffer()));`;
  if (request.operation.api_type === "image-generation")
    return `const images = await client.images.generate(${body});
for (const image of images.data) console.log(image.url);`;
  if (streams(request))
    return `const stream = await client.chat.completions.create(${body});
for await (const chunk of stream) process.stdout.write(chunk.choices[0]?.delta?.content ?? "");`;
  return `const completion = await client.chat.completions.create(${body});
console.log(completion.choices[0].message);`;
}

function fetchSnippet(request: SnippetRequest): string {
  const { operation, body, baseUrl } = request;
  return `const headers = {
  authorization: \`Bearer \${process.env.${keyVariable}}\`,
  "content-type": "application/json",
};

const response = await fetch("${baseUrl}${operationPaths[operation.api_type]}", {
  method: "POST",
  headers,
  body: JSON.stringify(${indented(JSON.stringify(body, null, 2), 2)}),
});
if (!response.ok) throw new Error(await response.text());
${isAsync(request) ? pollingLines : "console.log(await response.json());"}`;
}

const pollingLines = `let prediction = await response.json();
while (["starting", "processing"].includes(prediction.status)) {
  await new Promise((resolve) => setTimeout(resolve, 2000));
  const answer = await fetch(prediction.poll_url, { headers });
  if (!answer.ok) throw new Error(await answer.text());
  prediction = await answer.json();
}
console.log(prediction.status, prediction.output ?? prediction.error);`;

/** The request for Python 3 with its standard library only. */
function pythonSnippet(request: SnippetRequest): string {
  const { operation, body, baseUrl } = request;
  const imports = ["json", "os", ...(isAsync(request) ? ["time"] : []), "urllib.request"];
  return `${imports.map((name) => `import ${name}`).join("\n")}

headers = {
    "Authorization": f"Bearer {os.environ['${keyVariable}']}",
    "Content-Type": "application/json",
}
body = ${pythonLiteral(body)}
request = urllib.request.Request(
    "${baseUrl}${operationPaths[operation.api_type]}",
    data=json.dumps(body).encode(),
    headers=headers,
)
with urllib.request.urlopen(request) as response:
${readingLines(request)}`;
}

function readingLines(request: SnippetRequest): string {
  if (request.operation.api_type === "text-to-speech")
    return `    with open("speech.wav", "wb") as file:
        file.write(response.read())`;
  if (streams(request))
    return `    for line in response:
        text = line.decode().strip()
        if text.startswith("data: ") and text != "data: [DONE]":
            for choice in json.loads(text[6:]).get("choices", []):
                print(choice["delta"].get("content") or "", end="", flush=True)`;
  if (isAsync(request))
    return `    prediction = json.load(response)
while prediction["status"] in ("starting", "processing"):
    time.sleep(2)
    poll = urllib.request.Request(prediction["poll_url"], headers=headers)
    with urllib.request.urlopen(poll) as response:
        prediction = json.load(response)
print(prediction["status"], prediction.get("output") or prediction.get("error"))`;
  return `    print(json.dumps(json.load(response), indent=2))`;
}

/** A JSON value as a Python literal. */
export function pythonLiteral(value: unknown, depth = 0): string {
  const [pad, end] = ["    ".repeat(depth + 1), "    ".repeat(depth)];
  if (value === null || value === undefined) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (Array.isArray(value))
    return value.length === 0
      ? "[]"
      : `[\n${value.map((item) => `${pad}${pythonLiteral(item, depth + 1)},\n`).join("")}${end}]`;
  if (isObject(value)) {
    const entries = Object.entries(value);
    if (entries.length === 0) return "{}";
    return `{\n${entries.map(([key, item]) => `${pad}${text(key)}: ${pythonLiteral(item, depth + 1)},\n`).join("")}${end}}`;
  }
  return typeof value === "string" ? text(value) : JSON.stringify(value);
}

/**
 * JSON escapes are also valid in Python, except surrogate pairs, which JSON.stringify leaves as characters.
 */
function text(value: string): string {
  return JSON.stringify(value).replaceAll("\u007f", "\\u007f");
}
