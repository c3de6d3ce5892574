import { keyVariable } from "@/lib/key-variable";
import { curlHeaders, curlKey, type GuideSnippet, nodeCall, nodeOpenai, pythonCall } from "./languages.ts";

const body = `{
    "model": "svc/img-gen-b",
    "prompt": "A paper boat on a still lake",
    "quality": "low",
    "size": "1024x1024",
    "output_format": "png"
  }`;

export const polling: GuideSnippet = {
  label: "Run and poll",
  shell: (base) => `prediction=$(curl -sS --fail-with-body ${base}/images/generations \\
  ${curlHeaders} \\
  -d '${body}')

until jq -e '.status | IN("succeeded", "failed", "canceled")' <<< "$prediction" > /dev/null; do
  sleep 2
  prediction=$(curl -sS --fail-with-body "$(jq -r .poll_url <<< "$prediction")" \\
    ${curlKey})
done
jq '{id, status, output, error}' <<< "$prediction"`,
  node: (base) => `${nodeCall(base)}

let prediction = await call("POST", "/images/generations", {
  model: "svc/img-gen-b",
  prompt: "A paper boat on a still lake",
  quality: "low",
  size: "1024x1024",
  output_format: "png",
});
while (!["succeeded", "failed", "canceled"].includes(prediction.status)) {
  await new Promise((resolve) => setTimeout(resolve, 2000));
  prediction = await call("GET", "/predictions/" + prediction.id);
}
console.log(prediction.id, prediction.status, prediction.output ?? prediction.error);`,
  python: (base) => `${pythonCall(base, "time")}

prediction = call("POST", "/images/generations", {
    "model": "svc/img-gen-b",
    "prompt": "A paper boat on a still lake",
    "quality": "low",
    "size": "1024x1024",
    "output_format": "png",
})
while prediction["status"] not in ("succeeded", "failed", "canceled"):
    time.sleep(2)
    prediction = call("GET", "/predictions/" + prediction["id"])
print(prediction["id"], prediction["status"], prediction["output"] or prediction["error"])`,
};

export const waiting: GuideSnippet = {
  label: "Wait for the result",
  shell: (base) => `curl -sS --fail-with-body ${base}/images/generations \\
  ${curlHeaders} \\
  -H "Prefer: wait=60" \\
  -d '${body}' | jq '{id, status, output, poll_url}'`,
};

/** Reads the id of a finished prediction from the environment. */
export const saveOutputs: GuideSnippet = {
  label: "Save the outputs of a prediction",
  shell: (base) => `prediction=$(curl -sS --fail-with-body "${base}/predictions/$PREDICTION_ID" \\
  ${curlKey})
number=0
for url in $(jq -r '.output | if type == "array" then .[] else . end' <<< "$prediction"); do
  curl -sS --fail "$url" --output "$PREDICTION_ID-$number"
  echo "Saved $PREDICTION_ID-$number"
  number=$((number + 1))
done`,
  node: (base) => `import { writeFile } from "node:fs/promises";

${nodeCall(base)}

const prediction = await call("GET", "/predictions/" + process.env.PREDICTION_ID);
for (const [number, url] of [prediction.output].flat().entries()) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(await response.text());
  const name = prediction.id + "-" + number;
  await writeFile(name, Buffer.from(await response.arrayBuffer()));
  console.log("Saved " + name);
}`,
  python: (base) => `${pythonCall(base)}

prediction = call("GET", "/predictions/" + os.environ["PREDICTION_ID"])
output = prediction["output"]
for number, url in enumerate(output if isinstance(output, list) else [output]):
    name = prediction["id"] + "-" + str(number)
    with urllib.request.urlopen(url) as response, open(name, "wb") as file:
        file.write(response.read())
    print("Saved " + name)`,
};

/** The public keys are at an address outside the API's `/v1`. */
const keysOf: (base: string) => string = (base) =>
  `${base.replace(/\/v1$/, "")}/.well-known/gatehouse-receipts.json`;

export const checkReceipt: GuideSnippet = {
  label: "Check the receipt of a prediction",
  shell: (base) => `curl -sS --fail "${base}/predictions/$PREDICTION_ID/receipt" \\
  ${curlKey} --output receipt.json
curl -sS --fail "${keysOf(base)}" --output keys.json
# The signed bytes are in the file as they are; OpenSSL 3 checks them.
sed -E 's/^\\{"receipt":(.*),"signature":\\{.*$/\\1/' receipt.json | tr -d '\\n' > signed.txt
jq -r .signature.value receipt.json | openssl base64 -d -A -out signature.bin
jq -r --arg kid "$(jq -r .signature.kid receipt.json)" \\
  '.keys[] | select(.kid == $kid).pem' keys.json > key.pem
openssl pkeyutl -verify -pubin -inkey key.pem -rawin -in signed.txt -sigfile signature.bin`,
  node: (base) => `import { createPublicKey, verify } from "node:crypto";

const answer = await fetch("${base}/predictions/" + process.env.PREDICTION_ID + "/receipt", {
  headers: { authorization: "Bearer " + process.env.${keyVariable} },
});
if (!answer.ok) throw new Error(await answer.text());
const text = await answer.text();
// The signed bytes are in the answer as they are.
const signed = text.slice('{"receipt":'.length, text.lastIndexOf(',"signature":'));
const { receipt, signature } = JSON.parse(text);
const { keys } = await (await fetch("${keysOf(base)}")).json();
const jwk = keys.find(({ kid }) => kid === signature.kid);
const isValid =
  jwk !== undefined &&
  verify(
    null,
    Buffer.from(signed),
    createPublicKey({ key: jwk, format: "jwk" }),
    Buffer.from(signature.value, "base64"),
  );
console.log(receipt.id + " " + receipt.status + ": " + (isValid ? "signature is valid" : "changed"));`,
};

export const replicateClient: GuideSnippet = {
  label: "With the replicate package",
  node: (base) => `import Replicate from "replicate";

const replicate = new Replicate({
  baseUrl: "${base}",
  auth: process.env.${keyVariable},
});
const output = await replicate.run("svc/img-gen-b", {
  input: {
    prompt: "A paper boat on a still lake",
    quality: "low",
    size: "1024x1024",
    output_format: "png",
  },
});
for (const file of output) console.log(String(file));`,
};

/** Expects a file `speech.wav` in the same folder. */
export const uploads: GuideSnippet = {
  label: "Upload a file and use it",
  shell: (base) => `size=$(wc -c < speech.wav | tr -d ' ')
upload=$(curl -sS --fail-with-body ${base}/uploads \\
  ${curlHeaders} \\
  -d '{"filename": "speech.wav", "content_type": "audio/wav", "size_bytes": '$size'}')

curl -sS --fail-with-body --output /dev/null -X PUT "$(jq -r .upload_url <<< "$upload")" \\
  -H "Content-Type: audio/wav" \\
  --data-binary @speech.wav

id=$(jq -r .id <<< "$upload")
curl -sS --fail-with-body -X POST "${base}/uploads/$id/verify" \\
  ${curlHeaders} \\
  -d '{}' | jq -r .status

curl -sS --fail-with-body ${base}/audio/transcriptions \\
  ${curlHeaders} \\
  -d '{"model": "svc/asr-1", "audio": "upload://'$id'"}' | jq -r .text`,
  node: (base) => `import { readFile } from "node:fs/promises";

${nodeCall(base)}

const bytes = await readFile("speech.wav");
const upload = await call("POST", "/uploads", {
  filename: "speech.wav",
  content_type: "audio/wav",
  size_bytes: bytes.length,
});
const sent = await fetch(upload.upload_url, {
  method: upload.upload_method,
  headers: upload.upload_headers,
  body: bytes,
});
if (!sent.ok) throw new Error(await sent.text());
const verified = await call("POST", "/uploads/" + upload.id + "/verify", {});
console.log(verified.status);

const transcription = await call("POST", "/audio/transcriptions", {
  model: "svc/asr-1",
  audio: verified.reference,
});
console.log(transcription.text);`,
  python: (base) => `${pythonCall(base)}

with open("speech.wav", "rb") as file:
    content = file.read()
upload = call("POST", "/uploads", {
    "filename": "speech.wav",
    "content_type": "audio/wav",
    "size_bytes": len(content),
})
urllib.request.urlopen(urllib.request.Request(
    upload["upload_url"],
    method=upload["upload_method"],
    headers=upload["upload_headers"],
    data=content,
)).close()
verified = call("POST", "/uploads/" + upload["id"] + "/verify", {})
print(verified["status"])

transcription = call("POST", "/audio/transcriptions", {
    "model": "svc/asr-1",
    "audio": verified["reference"],
})
print(transcription["text"])`,
};

/** From the file with requests to the file with answers. */
export const openAiBatch: GuideSnippet = {
  label: "A batch with the openai package",
  node: (base) => `${nodeOpenai(base).replace("import OpenAI", "import OpenAI, { toFile }")}

const words = ["harbour", "lighthouse", "ferry"];
const requests = words.map((word) => ({
  custom_id: word,
  method: "POST",
  url: "/v1/chat/completions",
  body: { model: "svc/chat-1", messages: [{ role: "user", content: "Say hello to the " + word }] },
}));
const text = requests.map((request) => JSON.stringify(request)).join("\\n");
const file = await client.files.create({
  file: await toFile(Buffer.from(text), "requests.jsonl"),
  purpose: "batch",
});

let batch = await client.batches.create({
  input_file_id: file.id,
  endpoint: "/v1/chat/completions",
  completion_window: "24h",
});
while (["in_progress", "finalizing"].includes(batch.status)) {
  await new Promise((resolve) => setTimeout(resolve, 2000));
  batch = await client.batches.retrieve(batch.id);
}

for (const id of [batch.output_file_id, batch.error_file_id].filter(Boolean)) {
  const lines = (await (await client.files.content(id)).text()).trim().split("\\n");
  for (const { custom_id, response, error } of lines.map((line) => JSON.parse(line))) {
    const failure = error ?? response.body.error;
    console.log(custom_id, failure?.message ?? response.body.choices[0].message.content);
  }
}`,
};

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
