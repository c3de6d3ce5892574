import { curlHeaders, type GuideSnippet, nodeCall, nodeOpenai, pythonCall } from "./languages.ts";

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

/** From the file of requests to the file of answers. */
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
