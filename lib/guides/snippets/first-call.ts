import { curlHeaders, type GuideSnippet, nodeOpenai, pythonCall } from "./languages.ts";

export const firstCall: GuideSnippet = {
  label: "First call",
  shell: (base) => `curl -sS --fail-with-body ${base}/chat/completions \\
  ${curlHeaders} \\
  -d '{
    "model": "svc/chat-1",
    "messages": [{"role": "user", "content": "Say hello to the harbour"}]
  }'`,
  node: (base) => `${nodeOpenai(base)}

const completion = await client.chat.completions.create({
  model: "svc/chat-1",
  messages: [{ role: "user", content: "Say hello to the harbour" }],
});
console.log(completion.choices[0].message.content);`,
  python: (base) => `${pythonCall(base)}

completion = call("POST", "/chat/completions", {
    "model": "svc/chat-1",
    "messages": [{"role": "user", "content": "Say hello to the harbour"}],
})
print(completion["choices"][0]["message"]["content"])`,
};

export const findModels: GuideSnippet = {
  label: "List models",
  shell: (base) =>
    `curl -sS --fail-with-body "${base}/models?api_type=image-generation" | jq -r '.data[].id'`,
  node: (base) => `const response = await fetch("${base}/models?api_type=image-generation");
for (const model of (await response.json()).data) console.log(model.id);`,
  python: (base) => `import json
import urllib.request

with urllib.request.urlopen("${base}/models?api_type=image-generation") as response:
    for model in json.load(response)["data"]:
        print(model["id"])`,
};
