import { keyVariable } from "@/lib/key-variable";
import { findModels, firstCall } from "./first-call.ts";
import {
  checkReceipt,
  gateRefusal,
  openAiBatch,
  polling,
  readError,
  replicateClient,
  saveOutputs,
  uploads,
  waiting,
} from "./in-production.ts";
import { curlHeaders, curlKey, type GuideSnippet, nodeCall, nodeOpenai, pythonCall } from "./languages.ts";

const streaming: GuideSnippet = {
  label: "Streamed chat",
  shell: (base) => `curl -sS --fail-with-body --no-buffer ${base}/chat/completions \\
  ${curlHeaders} \\
  -d '{
    "model": "svc/chat-1",
    "messages": [{"role": "user", "content": "Say hello to the harbour"}],
    "stream": true,
    "stream_options": {"include_usage": true}
  }'`,
  node: (base) => `${nodeOpenai(base)}

const stream = await client.chat.completions.create({
  model: "svc/chat-1",
  messages: [{ role: "user", content: "Say hello to the harbour" }],
  stream: true,
  stream_options: { include_usage: true },
});
for await (const chunk of stream) {
  process.stdout.write(chunk.choices[0]?.delta.content ?? "");
  if (chunk.usage) console.log("\\n" + chunk.usage.total_tokens + " tokens");
}`,
  python: (base) => `import json
import os
import urllib.request

request = urllib.request.Request(
    "${base}/chat/completions",
    data=json.dumps({
        "model": "svc/chat-1",
        "messages": [{"role": "user", "content": "Say hello to the harbour"}],
        "stream": True,
        "stream_options": {"include_usage": True},
    }).encode(),
    headers={
        "Authorization": "Bearer " + os.environ["${keyVariable}"],
        "Content-Type": "application/json",
    },
)
finished = False
with urllib.request.urlopen(request) as response:
    for line in response:
        data = line.decode().strip().removeprefix("data: ")
        if data == "[DONE]":
            finished = True
        elif data.startswith("{"):
            chunk = json.loads(data)
            if "error" in chunk:
                raise RuntimeError(chunk["error"]["message"])
            for choice in chunk["choices"]:
                print(choice["delta"].get("content") or "", end="", flush=True)
            if chunk.get("usage"):
                print("\\n" + str(chunk["usage"]["total_tokens"]) + " tokens")
if not finished:
    raise RuntimeError("The stream ended early")`,
};

const responsesClient: GuideSnippet = {
  label: "With the openai package",
  node: (base) => `${nodeOpenai(base)}

const first = await client.responses.create({
  model: "svc/chat-1",
  input: "Remember the word heliotrope",
});
console.log(first.output_text);

const next = await client.responses.create({
  model: "svc/chat-1",
  previous_response_id: first.id,
  input: "And now?",
});
console.log(next.output_text);`,
};

const aiSdkClient: GuideSnippet = {
  label: "With the AI SDK",
  node: (base) => `import { createOpenAI } from "@ai-sdk/openai";
import { streamText } from "ai";

const gatehouse = createOpenAI({
  baseURL: "${base}",
  apiKey: process.env.${keyVariable},
});
const { textStream } = streamText({
  model: gatehouse("svc/chat-1"),
  prompt: "Say hello to the harbour",
});
for await (const piece of textStream) process.stdout.write(piece);`,
};

const anthropicClient: GuideSnippet = {
  label: "With the Anthropic SDK",
  node: (base) => `import Anthropic from "@anthropic-ai/sdk";

const client = new Anthropic({
  baseURL: "${base}",
  apiKey: process.env.${keyVariable},
});
const message = await client.messages.create({
  model: "svc/chat-1",
  max_tokens: 500,
  messages: [{ role: "user", content: "Say hello to the harbour" }],
});
console.log(message.content[0].text);`,
};

const mcpClient: GuideSnippet = {
  label: "With the protocol's own client",
  node: (base) => `import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";

const client = new Client({ name: "example", version: "1" });
await client.connect(
  new StreamableHTTPClientTransport(new URL("${mcpUrl(base)}"), {
    requestInit: { headers: { authorization: "Bearer " + process.env.${keyVariable} } },
  }),
);
const { structuredContent } = await client.callTool({
  name: "run",
  arguments: {
    model: "svc/chat-1",
    input: { messages: [{ role: "user", content: "Say hello to the harbour" }] },
  },
});
console.log(structuredContent.output);
await client.close();`,
};

/** The address of the gateway's tools for agents. It is outside the API, whose base URL ends with `/v1`. */
export function mcpUrl(baseUrl: string): string {
  return `${baseUrl.replace(/\/v1$/, "")}/mcp`;
}

const addEndpoint: GuideSnippet = {
  label: "Add an endpoint",
  shell: (base) => `curl -sS --fail-with-body ${base}/webhooks/endpoints \\
  ${curlHeaders} \\
  -d '{
    "url": "'"\${WEBHOOK_URL:?Set it to the public HTTPS address of your receiver.}"'",
    "events": ["prediction.succeeded", "prediction.failed"]
  }' | jq -r '.id, .secret'`,
  node: (base) => `${nodeCall(base)}

const url = process.env.WEBHOOK_URL;
if (!url) throw new Error("Set WEBHOOK_URL to the public HTTPS address of your receiver.");
const endpoint = await call("POST", "/webhooks/endpoints", {
  url,
  events: ["prediction.succeeded", "prediction.failed"],
});
console.log(endpoint.id, endpoint.secret);`,
  python: (base) => `${pythonCall(base)}

endpoint = call("POST", "/webhooks/endpoints", {
    "url": os.environ["WEBHOOK_URL"],
    "events": ["prediction.succeeded", "prediction.failed"],
})
print(endpoint["id"], endpoint["secret"])`,
};

const retryDeadLetters: GuideSnippet = {
  label: "Retry the dead letters of an endpoint",
  shell: (base) => `curl -sS --fail-with-body \\
  "${base}/webhooks/deliveries?status=dead-letter&limit=100&endpoint_id=\${ENDPOINT_ID:?Set it to the id of the endpoint.}" \\
  ${curlKey} | jq -r '.data[] | select(.retried_as == null) | .id' |
while read -r id; do
  curl -sS --fail-with-body -X POST "${base}/webhooks/deliveries/$id/retry" \\
    ${curlKey} | jq -r '"Retried as " + .id'
done`,
  node: (base) => `${nodeCall(base)}

const endpoint = process.env.ENDPOINT_ID;
if (!endpoint) throw new Error("Set ENDPOINT_ID to the id of the endpoint.");
const { data } = await call("GET", "/webhooks/deliveries?status=dead-letter&limit=100&endpoint_id=" + endpoint);
for (const delivery of data.filter(({ retried_as }) => retried_as === null)) {
  const retry = await call("POST", "/webhooks/deliveries/" + delivery.id + "/retry", {});
  console.log("Retried as " + retry.id);
}`,
  python: (base) => `${pythonCall(base)}

endpoint = os.environ["ENDPOINT_ID"]
page = call("GET", "/webhooks/deliveries?status=dead-letter&limit=100&endpoint_id=" + endpoint)
for delivery in page["data"]:
    if delivery["retried_as"] is not None:
        continue
    retry = call("POST", "/webhooks/deliveries/" + delivery["id"] + "/retry", {})
    print("Retried as " + retry["id"])`,
};

const safeRetries: GuideSnippet = {
  label: "Retry safely",
  shell: (base) => `# curl retries 408, 429 and 5xx, and waits as Retry-After says.
curl -sS --fail-with-body --retry 5 ${base}/chat/completions \\
  ${curlHeaders} \\
  -H "Idempotency-Key: greeting-1042" \\
  -d '{
    "model": "svc/chat-1",
    "messages": [{"role": "user", "content": "Say hello to the harbour"}]
  }' | jq -r '.choices[0].message.content'`,
  node: (base) => `${nodeOpenai(base)}

// The package retries 408, 409, 429 and 5xx, and obeys Retry-After and x-should-retry.
const completion = await client.chat.completions.create(
  {
    model: "svc/chat-1",
    messages: [{ role: "user", content: "Say hello to the harbour" }],
  },
  { maxRetries: 5, headers: { "Idempotency-Key": "greeting-1042" } },
);
console.log(completion.choices[0].message.content);`,
  python: (base) => `import json
import os
import time
import urllib.error
import urllib.request

def create(path, body, idempotency_key, tries=5):
    request = urllib.request.Request(
        "${base}" + path,
        data=json.dumps(body).encode(),
        headers={
            "Authorization": "Bearer " + os.environ["${keyVariable}"],
            "Content-Type": "application/json",
            "Idempotency-Key": idempotency_key,
        },
    )
    for number in range(1, tries + 1):
        try:
            with urllib.request.urlopen(request) as response:
                return json.load(response)
        except urllib.error.HTTPError as error:
            final = error.code not in (408, 429) and error.code < 500
            if final or error.headers.get("x-should-retry") == "false" or number == tries:
                raise
            time.sleep(float(error.headers.get("Retry-After") or 2**number))
        except urllib.error.URLError:
            if number == tries:
                raise
            time.sleep(2**number)

completion = create("/chat/completions", {
    "model": "svc/chat-1",
    "messages": [{"role": "user", "content": "Say hello to the harbour"}],
}, idempotency_key="greeting-1042")
print(completion["choices"][0]["message"]["content"])`,
};

const cappedKey: GuideSnippet = {
  label: "Create a key with a cap per task",
  shell: (base) => `curl -sS --fail-with-body ${base}/keys \\
  ${curlHeaders} \\
  -d '{
    "name": "ticket agent",
    "scopes": ["inference"],
    "task_budget": {"metadata_key": "session", "amount": "2.00", "max_runs": 500}
  }' | jq -r '.id, .secret'`,
  node: (base) => `${nodeCall(base)}

const key = await call("POST", "/keys", {
  name: "ticket agent",
  scopes: ["inference"],
  task_budget: { metadata_key: "session", amount: "2.00", max_runs: 500 },
});
console.log(key.id, key.secret);`,
  python: (base) => `${pythonCall(base)}

key = call("POST", "/keys", {
    "name": "ticket agent",
    "scopes": ["inference"],
    "task_budget": {"metadata_key": "session", "amount": "2.00", "max_runs": 500},
})
print(key["id"], key["secret"])`,
};

/**
 * An agent with three steps. Each run of the snippet names a new session, so that running it again is a new
 * task with an unused cap.
 */
const cappedRuns: GuideSnippet = {
  label: "Name the task, and stop at its cap",
  node: (base) => `const session = "ticket-" + crypto.randomUUID();
const maxSteps = 3;
for (let step = 1; step <= maxSteps; step += 1) {
  const response = await fetch("${base}/chat/completions", {
    method: "POST",
    headers: {
      authorization: "Bearer " + process.env.${keyVariable},
      "content-type": "application/json",
    },
    body: JSON.stringify({
      model: "svc/chat-1",
      messages: [{ role: "user", content: "Say hello to the harbour" }],
      metadata: { session },
    }),
  });
  const answer = await response.json();
  const task = answer.error?.task;
  if (task) {
    console.log("Stopped: " + task.value + " made " + task.runs + " runs and spent " + task.spent);
    break;
  }
  if (!response.ok) throw new Error(answer.error.code + ": " + answer.error.message);
  console.log(answer.choices[0].message.content);
}`,
  python: (base) => `${pythonCall(base, "uuid", "urllib.error")}

session = "ticket-" + str(uuid.uuid4())
for step in range(3):
    try:
        answer = call("POST", "/chat/completions", {
            "model": "svc/chat-1",
            "messages": [{"role": "user", "content": "Say hello to the harbour"}],
            "metadata": {"session": session},
        })
    except urllib.error.HTTPError as failure:
        task = json.load(failure)["error"].get("task")
        if task is None:
            raise
        print("Stopped: " + task["value"] + " made " + str(task["runs"]) + " runs and spent " + task["spent"])
        break
    print(answer["choices"][0]["message"]["content"])`,
};

/**
 * All code of the guides except the verification snippets (`verifySnippets`). The tests run each snippet
 * unchanged.
 */
export const guideSnippets = {
  firstCall,
  findModels,
  streaming,
  responsesClient,
  aiSdkClient,
  anthropicClient,
  mcpClient,
  cappedKey,
  cappedRuns,
  uploads,
  openAiBatch,
  polling,
  waiting,
  replicateClient,
  saveOutputs,
  checkReceipt,
  addEndpoint,
  retryDeadLetters,
  safeRetries,
  readError,
  gateRefusal,
};

export type SnippetId = keyof typeof guideSnippets;
