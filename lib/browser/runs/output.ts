import type { ApiType } from "#contract/catalog.ts";
import { isObject, numberOf } from "../../schema-form/json.ts";
import { chatFromBody } from "./chat.ts";
import type { RunOutput } from "./run.ts";

/** What to show of a JSON answer; an unknown shape is shown as JSON. */
export function outputFromBody(apiType: ApiType, body: unknown): RunOutput {
  if (!isObject(body)) return { kind: "other", body };
  if (typeof body.poll_url === "string" && typeof body.id === "string")
    return { kind: "prediction", id: body.id };
  if (apiType === "chat-completions") return chatFromBody(body);
  if (apiType === "audio-transcription" && typeof body.text === "string")
    return { kind: "transcript", text: body.text };
  if (apiType === "voice-management" && "data" in body)
    return { kind: "voices", action: String(body.action ?? ""), data: body.data };
  if (Array.isArray(body.data)) {
    const images = body.data.filter(isObject).flatMap((item) => {
      const url = typeof item.url === "string" ? item.url : inlineImage(item);
      return url ? [{ url, width: numberOf(item.width), height: numberOf(item.height) }] : [];
    });
    if (images.length > 0) return { kind: "images", images };
  }
  return { kind: "other", body };
}

function inlineImage(item: Record<string, unknown>): string | null {
  return typeof item.b64_json === "string" ? `data:image/png;base64,${item.b64_json}` : null;
}
