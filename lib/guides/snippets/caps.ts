import { keyVariable } from "@/lib/key-variable";
import { curlHeaders, type GuideSnippet, nodeCall, pythonCall } from "./languages.ts";

export const cappedKey: GuideSnippet = {
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
export const cappedRuns: GuideSnippet = {
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
