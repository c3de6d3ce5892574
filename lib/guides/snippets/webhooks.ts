import { curlHeaders, curlKey, type GuideSnippet, nodeCall, pythonCall } from "./languages.ts";

export const addEndpoint: GuideSnippet = {
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

export const retryDeadLetters: GuideSnippet = {
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
