import { keyVariable } from "../../key-variable.ts";
import { curlHeaders, type GuideSnippet, nodeOpenai } from "./languages.ts";

export const streaming: GuideSnippet = {
  label: "Streamed chat",
  shell: (base) => `curl -sS --no-buffer ${base}/chat/completions \\
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
