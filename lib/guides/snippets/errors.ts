import { curlHeaders, type GuideSnippet, nodeOpenai, pythonCall } from "./languages.ts";

/** Each snippet sends a temperature that no chat model accepts. */
export const readError: GuideSnippet = {
  label: "Read an error",
  shell: (base) => `curl -sS ${base}/chat/completions \\
  ${curlHeaders} \\
  -d '{
    "model": "svc/chat-1",
    "messages": [{"role": "user", "content": "Hello"}],
    "temperature": 9
  }' | jq -r '.error | .code, .param, .message, .request_id'`,
  node: (base) => `${nodeOpenai(base)}

try {
  await client.chat.completions.create({
    model: "svc/chat-1",
    messages: [{ role: "user", content: "Hello" }],
    temperature: 9,
  });
} catch (error) {
  if (!(error instanceof OpenAI.APIError)) throw error;
  console.log(error.status, error.code, error.param, error.message, error.requestID);
}`,
  python: (base) => `${pythonCall(base, "urllib.error")}

try:
    call("POST", "/chat/completions", {
        "model": "svc/chat-1",
        "messages": [{"role": "user", "content": "Hello"}],
        "temperature": 9,
    })
except urllib.error.HTTPError as failure:
    error = json.load(failure)["error"]
    print(failure.code, error["code"], error["param"], error["message"], error["request_id"])`,
};

const gated = `"model": "svc/adult-img-1",
    "prompt": "A lighthouse above a stormy sea",
    "width": 512,
    "height": 768`;

export const gateRefusal: GuideSnippet = {
  label: "Handle a gate",
  shell: (base) => `answer=$(curl -sS ${base}/images/generations \\
  ${curlHeaders} \\
  -d '{
    ${gated}
  }')
case $(jq -r '.error.code // empty' <<< "$answer") in
  *_attestation_required) echo "A person must attest in the console. Not retried." ;;
  "") jq '{id, status}' <<< "$answer" ;;
  *) jq -r .error.message <<< "$answer" && exit 1 ;;
esac`,
  node: (base) => `${nodeOpenai(base)}

try {
  const { id, status } = await client.post("/images/generations", {
    body: {
      model: "svc/adult-img-1",
      prompt: "A lighthouse above a stormy sea",
      width: 512,
      height: 768,
    },
  });
  console.log(id, status);
} catch (error) {
  if (!error.code?.endsWith("_attestation_required")) throw error;
  console.log("A person must attest in the console. Not retried.");
}`,
  python: (base) => `${pythonCall(base, "urllib.error")}

try:
    prediction = call("POST", "/images/generations", {
        "model": "svc/adult-img-1",
        "prompt": "A lighthouse above a stormy sea",
        "width": 512,
        "height": 768,
    })
    print(prediction["id"], prediction["status"])
except urllib.error.HTTPError as failure:
    error = json.load(failure)["error"]
    if not error["code"].endswith("_attestation_required"):
        raise
    print("A person must attest in the console. Not retried.")`,
};
