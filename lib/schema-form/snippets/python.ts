import { operationPaths } from "#contract/catalog-constants.ts";
import { keyVariable } from "../../key-variable.ts";
import { isObject } from "../json.ts";
import { isAsync, type SnippetRequest, streams } from "./snippet.ts";

/** The request for Python 3 with its standard library alone. */
export function pythonSnippet(request: SnippetRequest): string {
  const { operation, body, baseUrl } = request;
  const imports = ["json", "os", ...(isAsync(request) ? ["time"] : []), "urllib.request"];
  return `${imports.map((name) => `import ${name}`).join("\n")}

headers = {
    "Authorization": f"Bearer {os.environ['${keyVariable}']}",
    "Content-Type": "application/json",
}
body = ${literal(body, 0)}
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

/** A JSON value as Python writes it. */
function literal(value: unknown, depth: number): string {
  const [pad, end] = ["    ".repeat(depth + 1), "    ".repeat(depth)];
  if (value === null || value === undefined) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (Array.isArray(value))
    return value.length === 0
      ? "[]"
      : `[\n${value.map((item) => `${pad}${literal(item, depth + 1)},\n`).join("")}${end}]`;
  if (isObject(value)) {
    const entries = Object.entries(value);
    if (entries.length === 0) return "{}";
    return `{\n${entries.map(([key, item]) => `${pad}${text(key)}: ${literal(item, depth + 1)},\n`).join("")}${end}}`;
  }
  return typeof value === "string" ? text(value) : JSON.stringify(value);
}

/** JSON's escapes are Python's too, but for surrogate pairs, which JSON.stringify leaves as characters. */
function text(value: string): string {
  return JSON.stringify(value).replaceAll("\u007f", "\\u007f");
}
