import { curlHeaders, type GuideSnippet, nodeCall, pythonCall } from "./languages.ts";

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
