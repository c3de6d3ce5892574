import { AudioLines } from "lucide-react";
import type { CatalogModel, CatalogOperation } from "#contract/catalog.ts";
import { JsonView } from "@/components/ui/json-view";
import { ModelCover } from "./model-cover.tsx";
import { coverOf } from "./purpose.ts";

interface EntryExampleProps {
  model: CatalogModel;
  operation: CatalogOperation;
  baseUrl: string;
}

/** What comes out: a picture of it where the model makes pictures, and the answer as a program reads it. */
export function EntryExample({ model, operation, baseUrl }: EntryExampleProps) {
  const answer = exampleOutput(operation, baseUrl);
  const pictured = coverOf(model.id, operation.api_type) !== null;
  return (
    <div className="flex flex-col gap-3">
      {pictured && (
        <figure>
          <ModelCover
            id={model.id}
            modality={model.modality}
            apiType={operation.api_type}
            className="rounded-panel border"
          />
          <figcaption className="mt-1 text-meta text-muted">
            Drawn by the sandbox, without a model.
          </figcaption>
        </figure>
      )}
      {answer ? (
        <JsonView value={answer} label="Example output" />
      ) : (
        <p className="flex items-center gap-3 rounded-panel border bg-panel p-4 text-muted">
          <AudioLines size={20} aria-hidden className="shrink-0" />
          The answer is the sound itself: audio/wav.
        </p>
      )}
    </div>
  );
}

/** What an answer of the operation looks like, short enough to read; null where the answer is a file itself. */
function exampleOutput({ id, api_type: apiType, execution_mode: mode }: CatalogOperation, baseUrl: string) {
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
    case "embeddings":
      return {
        object: "list",
        model,
        data: [{ object: "embedding", index: 0, embedding: [0.0123, -0.0456, 0.0789] }],
        usage: { prompt_tokens: 14, total_tokens: 14 },
      };
    case "rerank":
      return {
        model,
        results: [
          { index: 1, relevance_score: 0.92 },
          { index: 0, relevance_score: 0.07 },
        ],
      };
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
