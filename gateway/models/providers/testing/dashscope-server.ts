import { landscapeVideo, smallImage, speechAudio } from "#gateway/models/catalog/example-media.ts";
import {
  bytesOf,
  type Seen,
  sendFile,
  sendJson,
  startUpstream,
  type UpstreamServer,
} from "./upstream-server.ts";

export interface DashScopeServer extends UpstreamServer {
  /** How often a task answers RUNNING before it ends. */
  taskPolls: number;
  /** The state of a finished task. */
  taskEnd: "SUCCEEDED" | "no-url" | "moderated" | "UNKNOWN";
}

/**
 * Model Studio's services as its documentation describes them: multimodal generation, tasks, voice
 * customization.
 */
export async function startDashScopeServer(): Promise<DashScopeServer> {
  const asked = new Map<string, number>();
  let tasks = 0;
  let voices = 0;
  const server = await startUpstream((seen, response, origin) => {
    const { method, path } = seen;
    if (path === "/files/image.png") return sendFile(response, "image/png", bytesOf(smallImage));
    if (path === "/files/video.mp4") return sendFile(response, "video/mp4", bytesOf(landscapeVideo));
    if (path === "/files/speech.wav") return sendFile(response, "audio/wav", bytesOf(speechAudio));
    if (seen.headers.authorization !== "Bearer dashscope-test-key")
      return sendJson(
        response,
        { code: "InvalidApiKey", message: "Invalid API-key provided.", request_id: "r" },
        401,
      );
    if (path === "/compatible-mode/v1/chat/completions")
      return sendJson(response, {
        choices: [
          {
            index: 0,
            message: { role: "assistant", content: "Danube, Rhine, Nile." },
            finish_reason: "stop",
          },
        ],
        usage: { prompt_tokens: 9, completion_tokens: 7, total_tokens: 16 },
      });
    if (path.endsWith("/multimodal-generation/generation"))
      return sendJson(response, multimodal(seen, origin));
    if (path.endsWith("/tts/customization")) {
      const { action, target_model: target } = seen.json().input as Record<string, unknown>;
      voices += 1;
      if (action === "create")
        return sendJson(response, { output: { voice: `qwen-tts-vc-${voices}`, target_model: target } });
      if (action === "create_voice")
        return sendJson(response, { output: { voice_id: `cosyvoice-${voices}` } });
      if (action === "query_voice")
        return sendJson(response, { output: { status: "OK", target_model: target } });
      return sendJson(response, { output: {}, request_id: "r" });
    }
    if (method === "POST" && path.endsWith("/cancel")) return sendJson(response, { request_id: "r" });
    if (path.startsWith("/api/v1/tasks/")) {
      const id = path.split("/").at(-1) ?? "";
      const times = (asked.get(id) ?? 0) + 1;
      asked.set(id, times);
      return sendJson(response, times > state.taskPolls ? ended(id, state.taskEnd, origin) : running(id));
    }
    if (seen.headers["x-dashscope-async"] !== "enable")
      return sendJson(
        response,
        { code: "AccessDenied", message: "current user api does not support synchronous calls." },
        403,
      );
    tasks += 1;
    return sendJson(response, {
      output: { task_id: `task-${tasks}`, task_status: "PENDING" },
      request_id: "r",
    });
  });
  const state: DashScopeServer = Object.assign(server, {
    taskPolls: 1,
    taskEnd: "SUCCEEDED" as DashScopeServer["taskEnd"],
  });
  return state;
}

function multimodal(seen: Seen, origin: string): unknown {
  const { input } = seen.json() as {
    input: { text?: string; messages?: { content: Record<string, string>[] }[] };
  };
  if (input.text !== undefined)
    return {
      output: { audio: { data: "", url: `${origin}/files/speech.wav`, id: "a", expires_at: 1 } },
      usage: {},
    };
  const content = input.messages?.[0]?.content ?? [];
  if (content.some((part) => part.audio !== undefined)) {
    const message = {
      role: "assistant",
      content: [{ text: "Good evening." }],
      annotations: [{ language: "en" }],
    };
    return { output: { choices: [{ finish_reason: "stop", message }] }, usage: { seconds: 1 } };
  }
  const image = { message: { role: "assistant", content: [{ image: `${origin}/files/image.png` }] } };
  return { output: { choices: [image] }, usage: { image_count: 1, width: 96, height: 96 } };
}

function running(id: string): unknown {
  return { output: { task_id: id, task_status: "RUNNING" }, request_id: "r" };
}

function ended(id: string, end: DashScopeServer["taskEnd"], origin: string): unknown {
  const output = { task_id: id, task_status: "SUCCEEDED" };
  if (end === "UNKNOWN") return { output: { task_id: id, task_status: "UNKNOWN" } };
  if (end === "no-url") return { output, usage: { duration: 2 } };
  if (end === "moderated")
    return {
      output: {
        task_id: id,
        task_status: "FAILED",
        code: "DataInspectionFailed",
        message: "Input data may contain inappropriate content.",
      },
    };
  const video = { ...output, video_url: `${origin}/files/video.mp4` };
  return { output: video, usage: { duration: 5, output_video_duration: 5, SR: 720 } };
}
