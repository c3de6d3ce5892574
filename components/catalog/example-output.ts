import type { CatalogOperation } from "#contract/catalog.ts";

/** What an answer of the operation looks like, short enough to read; null where the answer is a file itself. */
export function exampleOutput(
  { id, api_type: apiType, execution_mode: mode }: CatalogOperation,
  baseUrl: string,
) {
  const [model = ""] = id.split(":", 1);
  const file = (name: string) => `${baseUrl}/files/outputs/…/${name}`;
  if (mode === "async") {
    const isVideo = apiType === "video-generation";
    const url = file(isVideo ? "1.mp4" : "1.png");
    return {
      id: "pred_…",
      status: "succeeded",
      model,
      output: isVideo ? url : [url],
      data: [{ url, content_type: isVideo ? "video/mp4" : "image/png" }],
    };
  }
  switch (apiType) {
    case "chat-completions":
      return {
        model,
        choices: [
          {
            message: { role: "assistant", content: "Harbours freeze from the edges." },
            finish_reason: "stop",
          },
        ],
        usage: { prompt_tokens: 24, completion_tokens: 9, total_tokens: 33 },
      };
    case "text-to-speech":
      return null;
    case "audio-transcription":
      return { model, text: "The ferry leaves at half past six." };
    case "voice-management":
      return { model, action: "create", data: { voice: "voice-…" } };
    case "image-generation":
    case "image-editing":
    case "video-generation":
      return { model, data: [{ url: file("1.png"), content_type: "image/png", width: 1024, height: 1024 }] };
  }
}
