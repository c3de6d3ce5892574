import { keyVariable } from "../../key-variable.ts";
import { curlHeaders, curlKey, type GuideSnippet, nodeCall, pythonCall } from "./languages.ts";

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

/** Takes the id of a finished prediction from the environment. */
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

/** The public keys are outside the API's version. */
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
