import type { ServerResponse } from "node:http";
import { landscapeVideo, smallImage, speechAudio } from "#gateway/models/catalog/example-media.ts";
import {
  bytesOf,
  type Seen,
  sendFile,
  sendJson,
  startUpstream,
  type UpstreamServer,
} from "./upstream-server.ts";

const usage = { prompt_tokens: 12, completion_tokens: 5, total_tokens: 17 };
const words = ["Blue ", "light ", "scatters ", "most."];

const listedModels = ["small-chat", "big-chat", "big-vision", "text-embedding-small", "rerank-small"].map(
  (id) => ({ id, object: "model" }),
);

/** How the next chat stream ends; set by a test. */
export type StreamEnd = "held" | "done" | "cut" | "reset" | "error" | "no-finish";

export interface OpenAiServer extends UpstreamServer {
  streamEnd: StreamEnd;
  /** How often a video answers `in_progress` before it is done. */
  videoPolls: number;
}

/** OpenAI's API as its reference describes it: chat, audio, images and videos. */
export async function startOpenAiServer(): Promise<OpenAiServer> {
  let videos = 0;
  let asked = 0;
  const server = await startUpstream((seen, response) => {
    const { method, path } = seen;
    if (path === "/v1/chat/completions") return chat(seen, response, state.streamEnd);
    if (path === "/v1/audio/speech" && seen.json().response_format === "flac")
      return sendFile(response, "audio/flac", Buffer.from("fLaC and so on"));
    if (path === "/v1/audio/speech") return sendFile(response, "audio/wav", bytesOf(speechAudio));
    if (path === "/v1/audio/transcriptions") return transcription(seen, response);
    if (path === "/v1/images/generations" || path === "/v1/images/edits")
      return sendJson(response, { created: 1, data: [{ b64_json: smallImage.split(",")[1] }], usage });
    if (path === "/v1/embeddings") return sendJson(response, embeddings(seen.json().input));
    if (path === "/v1/rerank") return sendJson(response, ranking(seen.json().documents));
    if (path === "/v1/models") return sendJson(response, { object: "list", data: listedModels });
    if (path === "/v1/videos") {
      videos += 1;
      return sendJson(response, { id: `video_${videos}`, object: "video", status: "queued", progress: 0 });
    }
    if (path.endsWith("/content")) return sendFile(response, "video/mp4", bytesOf(landscapeVideo));
    if (method === "DELETE") return sendJson(response, { deleted: true });
    asked += 1;
    const done = asked > state.videoPolls;
    return sendJson(response, {
      id: path.split("/").at(-1),
      object: "video",
      status: done ? "completed" : "in_progress",
      progress: done ? 100 : 40,
    });
  });
  const state: OpenAiServer = Object.assign(server, { streamEnd: "done" as StreamEnd, videoPolls: 1 });
  return state;
}

/** Vectors of three numbers; the first is the text's length. */
function embeddings(input: unknown) {
  const texts = Array.isArray(input) && typeof input[0] !== "number" ? input : [input];
  const data = texts.map((text, index) => ({
    object: "embedding",
    index,
    embedding: [String(text).length, 0.5, -0.25],
  }));
  return { object: "list", data: data.reverse(), usage: { prompt_tokens: 7, total_tokens: 7 } };
}

/** Ranks the longest text first. */
function ranking(documents: unknown) {
  const results = (documents as string[]).map((text, index) => ({
    index,
    relevance_score: text.length / 100,
  }));
  return { id: "r1", results };
}

async function transcription(seen: Seen, response: ServerResponse): Promise<void> {
  const parts = new Map(await seen.form());
  const text = { text: "Good evening.", usage: { type: "duration", seconds: 2 } };
  if (parts.get("response_format") !== "verbose_json") return sendJson(response, text);
  const segments = [
    { id: 0, start: 0, end: 0.8, text: " Good" },
    { id: 1, start: 0.8, end: 1.5, text: " evening." },
  ];
  const granularities = (await seen.form())
    .filter(([name]) => name === "timestamp_granularities[]")
    .map(([, value]) => value);
  const words = [
    { word: "Good", start: 0, end: 0.7 },
    { word: "evening", start: 0.8, end: 1.4 },
  ];
  const asked = granularities.includes("word") && { words };
  sendJson(response, { ...text, language: "english", duration: 2, segments, ...asked });
}

function chat(seen: Seen, response: ServerResponse, end: StreamEnd): void {
  const { stream, tools } = seen.json();
  if (stream === true) {
    streamChat(seen, response, end);
    return;
  }
  const call = {
    id: "call_1",
    type: "function",
    function: { name: "weather", arguments: '{"city":"Bergen"}' },
  };
  sendJson(response, {
    id: "chatcmpl-upstream",
    object: "chat.completion",
    created: 1,
    model: "upstream-model",
    choices: [
      {
        index: 0,
        message: tools
          ? { role: "assistant", content: null, tool_calls: [call] }
          : { role: "assistant", content: words.join(""), reasoning: "It is about wavelengths." },
        finish_reason: tools ? "tool_calls" : "stop",
      },
    ],
    usage,
  });
}

function streamChat(seen: Seen, response: ServerResponse, end: StreamEnd): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  const send = (event: unknown) => response.write(`data: ${JSON.stringify(event)}\r\n\r\n`);
  const chunk = (delta: object, finish: string | null = null) => ({
    id: "chatcmpl-upstream",
    object: "chat.completion.chunk",
    choices: [{ index: 0, delta, finish_reason: finish }],
  });
  response.write(": OPENROUTER PROCESSING\n\n");
  send(chunk({ role: "assistant", content: "" }));
  for (const word of words.slice(0, end === "done" || end === "no-finish" ? words.length : 2))
    send(chunk({ content: word }));
  if (end === "held") return;
  if (end === "cut") return void response.end();
  if (end === "reset") return void setImmediate(() => response.socket?.resetAndDestroy());
  if (end === "error") {
    send({ error: { code: 502, message: "Provider disconnected" } });
    return void response.end();
  }
  send(chunk({}, "stop"));
  const options = seen.json().stream_options as { include_usage?: boolean } | undefined;
  if (options?.include_usage) send({ id: "chatcmpl-upstream", choices: [], usage });
  if (end === "no-finish") return void response.end();
  response.write("data: [DONE]\n\n");
  // The end of the message comes in a separate packet, as it often does through proxies.
  setTimeout(() => response.end(), 10);
}
