import { keyVariable } from "../../key-variable.ts";

type Code = (baseUrl: string) => string;

/** One task, with its code in each language. */
export interface GuideSnippet {
  /** Names the code block for screen readers. */
  label: string;
  shell?: Code;
  node?: Code;
  python?: Code;
}

export type SnippetLanguage = "bash" | "javascript" | "python";

export interface SnippetTab {
  label: string;
  language: SnippetLanguage;
  code: string;
}

/** The tabs of a code block, as the reader sees them. */
export function tabsOf({ shell, node, python }: GuideSnippet, baseUrl: string): SnippetTab[] {
  return [
    ...(shell ? [{ label: "Shell", language: "bash" as const, code: stopping(shell(baseUrl)) }] : []),
    ...(node ? [{ label: "Node.js", language: "javascript" as const, code: node(baseUrl) }] : []),
    ...(python ? [{ label: "Python", language: "python" as const, code: python(baseUrl) }] : []),
  ];
}

/** A script of several steps ends at the first one that fails, and so does a pipe. */
function stopping(code: string): string {
  return /\| |\$\(/.test(code) ? `set -euo pipefail\n${code}` : code;
}

/** The headers of a JSON request, for curl. */
export const curlHeaders = `-H "Authorization: Bearer $${keyVariable}" \\
  -H "Content-Type: application/json"`;

export const curlKey = `-H "Authorization: Bearer $${keyVariable}"`;

/** The openai package, for routes that are compatible with it. */
export const nodeOpenai: Code = (baseUrl) => `import OpenAI from "openai";

const client = new OpenAI({
  baseURL: "${baseUrl}",
  apiKey: process.env.${keyVariable},
});`;

/** A JSON call with fetch, for routes that the openai package does not have. */
export const nodeCall: Code = (baseUrl) => `async function call(method, path, body) {
  const response = await fetch("${baseUrl}" + path, {
    method,
    headers: {
      authorization: "Bearer " + process.env.${keyVariable},
      "content-type": "application/json",
    },
    body: body && JSON.stringify(body),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.error.code + ": " + answer.error.message);
  return answer;
}`;

/** A JSON call with Python's standard library; `imports` are added to its own. */
export const pythonCall = (baseUrl: string, ...imports: string[]): string =>
  `${["json", "os", ...imports, "urllib.request"].map((name) => `import ${name}`).join("\n")}

def call(method, path, body=None):
    request = urllib.request.Request(
        "${baseUrl}" + path,
        method=method,
        data=None if body is None else json.dumps(body).encode(),
        headers={
            "Authorization": "Bearer " + os.environ["${keyVariable}"],
            "Content-Type": "application/json",
        },
    )
    with urllib.request.urlopen(request) as response:
        return json.load(response)`;
