import { operationPaths } from "#contract/catalog-constants.ts";
import { keyVariable } from "../../key-variable.ts";
import { indented, isAsync, type SnippetRequest, streams } from "./snippet.ts";

/** The request for Node 20 and later: the openai package where its shapes fit, else fetch. */
export function nodeSnippet(request: SnippetRequest): string {
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
