import { keyVariable } from "@/lib/key-variable";
import { pythonLiteral } from "@/lib/schema-form/snippets/snippets";

/** An example request of a route. */
export interface SnippetRequest {
  /** The `operationId` of the route. */
  id: string;
  method: string;
  url: string;
  /** The gateway's address, which ends with `/v1`. */
  baseUrl: string;
  needsKey: boolean;
  /** Undefined without a JSON body. */
  body: unknown;
  /** Whether the answer is JSON. */
  isJson: boolean;
}

export interface Snippet {
  label: string;
  language: string;
  code: string;
}

/** The file that examples send as a body. */
const exampleFile = "harbour.png";

/** The same request in every language of the reference. */
export function requestSnippets(request: SnippetRequest): Snippet[] {
  return [
    { label: "curl", language: "bash", code: curlOf(request) },
    { label: "Node.js", language: "javascript", code: nodeOf(request) },
    { label: "Python", language: "python", code: pythonOf(request) },
  ];
}

const sendsFile = ({ method }: SnippetRequest) => method === "PUT";

function curlOf(request: SnippetRequest): string {
  const { method, url, needsKey, body } = request;
  const options = [
    ...(method === "GET" ? [] : [`-X ${method}`]),
    ...(needsKey ? [`-H "Authorization: Bearer $${keyVariable}"`] : []),
    ...(body === undefined ? [] : ['-H "Content-Type: application/json"', `-d '${shellQuoted(body)}'`]),
    ...(sendsFile(request) && body === undefined ? [`--data-binary @${exampleFile}`] : []),
  ];
  return [`curl "${url}"`, ...options].join(" \\\n  ");
}

function shellQuoted(body: unknown): string {
  return indented(JSON.stringify(body, null, 2).replaceAll("'", "'\\''"));
}

function indented(text: string): string {
  return text.replaceAll("\n", "\n  ");
}

/** Calls of the openai package, for routes that answer in OpenAI's format. `BODY` stands for the body. */
const openaiCalls: Record<string, string> = {
  postChatCompletions: `const completion = await client.chat.completions.create(BODY);
console.log(completion.choices[0].message);`,
  postResponses: `const response = await client.responses.create(BODY);
console.log(response.output_text);`,
  postAudioSpeech: `const speech = await client.audio.speech.create(BODY);
console.log(await speech.arrayBuffer());`,
};

function nodeOf(request: SnippetRequest): string {
  const call = openaiCalls[request.id];
  return call === undefined ? fetchOf(request) : openaiOf(request, call);
}

function openaiOf({ baseUrl, body }: SnippetRequest, call: string): string {
  return `import OpenAI from "openai";

const client = new OpenAI({
  baseURL: "${baseUrl}",
  apiKey: process.env.${keyVariable},
});

${call.replace("BODY", () => JSON.stringify(body, null, 2))}`;
}

function fetchOf(request: SnippetRequest): string {
  const { method, url, needsKey, body, isJson } = request;
  const file = sendsFile(request) && body === undefined;
  const headers = [
    ...(needsKey ? [`    authorization: \`Bearer \${process.env.${keyVariable}}\`,`] : []),
    ...(body === undefined ? [] : ['    "content-type": "application/json",']),
  ];
  const options = [
    ...(method === "GET" ? [] : [`  method: "${method}",`]),
    ...(headers.length > 0 ? ["  headers: {", ...headers, "  },"] : []),
    ...(body === undefined ? [] : [`  body: JSON.stringify(${indented(JSON.stringify(body, null, 2))}),`]),
    ...(file ? [`  body: await readFile("${exampleFile}"),`] : []),
  ];
  const call =
    options.length === 0 ? `await fetch("${url}")` : `await fetch("${url}", {\n${options.join("\n")}\n})`;
  return `${file ? 'import { readFile } from "node:fs/promises";\n\n' : ""}const response = ${call};
if (!response.ok) throw new Error(await response.text());
console.log(await response.${isJson ? "json" : "text"}());`;
}

/** With Python's standard library only. */
function pythonOf(request: SnippetRequest): string {
  const { method, url, needsKey, body, isJson } = request;
  const file = sendsFile(request) && body === undefined;
  const imports = [
    ...(body !== undefined || isJson ? ["json"] : []),
    ...(needsKey ? ["os"] : []),
    "urllib.request",
  ];
  const headers = [
    ...(needsKey ? [`        "Authorization": f"Bearer {os.environ['${keyVariable}']}",`] : []),
    ...(body === undefined ? [] : ['        "Content-Type": "application/json",']),
  ];
  const options = [
    ...(body === undefined ? [] : ["    data=json.dumps(body).encode(),"]),
    ...(file ? [`    data=open("${exampleFile}", "rb").read(),`] : []),
    ...(headers.length > 0 ? ["    headers={", ...headers, "    },"] : []),
    ...(method === "GET" ? [] : [`    method="${method}",`]),
  ];
  return `${imports.map((name) => `import ${name}`).join("\n")}

${body === undefined ? "" : `body = ${pythonLiteral(body)}\n`}request = urllib.request.Request(
    "${url}",
${options.map((option) => `${option}\n`).join("")})
with urllib.request.urlopen(request) as response:
    print(${isJson ? "json.dumps(json.load(response), indent=2)" : "response.read()"})`;
}
