import { keyVariable } from "../../key-variable.ts";
import { curlHeaders, type GuideSnippet, nodeOpenai } from "./languages.ts";

export const safeRetries: GuideSnippet = {
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
