import { curlHeaders, curlKey, type GuideSnippet, nodeCall, pythonCall } from "./languages.ts";

export const addEndpoint: GuideSnippet = {
  label: "Add an endpoint",
  shell: (base) => `curl -sS --fail-with-body ${base}/webhooks/endpoints \\
  ${curlHeaders} \\
  -d '{
    "url": "https://example.com/hooks/gatehouse",
    "events": ["prediction.succeeded", "prediction.failed"]
  }' | jq -r '.id, .secret'`,
  node: (base) => `${nodeCall(base)}

const endpoint = await call("POST", "/webhooks/endpoints", {
  url: "https://example.com/hooks/gatehouse",
  events: ["prediction.succeeded", "prediction.failed"],
});
console.log(endpoint.id, endpoint.secret);`,
  python: (base) => `${pythonCall(base)}

endpoint = call("POST", "/webhooks/endpoints", {
    "url": "https://example.com/hooks/gatehouse",
    "events": ["prediction.succeeded", "prediction.failed"],
})
print(endpoint["id"], endpoint["secret"])`,
};

export const retryDeadLetters: GuideSnippet = {
  label: "Retry dead-letter deliveries",
  shell: (base) => `curl -sS --fail-with-body "${base}/webhooks/deliveries?status=dead-letter&limit=100" \\
  ${curlKey} | jq -r '.data[].id' |
while read -r id; do
  curl -sS --fail-with-body -X POST "${base}/webhooks/deliveries/$id/retry" \\
    ${curlKey} | jq -r '"Retried as " + .id'
done`,
  node: (base) => `${nodeCall(base)}

const { data } = await call("GET", "/webhooks/deliveries?status=dead-letter&limit=100");
for (const delivery of data) {
  const retry = await call("POST", "/webhooks/deliveries/" + delivery.id + "/retry", {});
  console.log("Retried as " + retry.id);
}`,
  python: (base) => `${pythonCall(base)}

page = call("GET", "/webhooks/deliveries?status=dead-letter&limit=100")
for delivery in page["data"]:
    retry = call("POST", "/webhooks/deliveries/" + delivery["id"] + "/retry", {})
    print("Retried as " + retry["id"])`,
};
