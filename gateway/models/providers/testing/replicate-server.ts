import { landscapeVideo, smallImage, speechAudio } from "#gateway/models/catalog/example-media.ts";
import { bytesOf, sendFile, sendJson, startUpstream, type UpstreamServer } from "./upstream-server.ts";

export interface ReplicateServer extends UpstreamServer {
  protocol: "replicate";
  polls: number;
  /** The state and output of a finished prediction. */
  end: { status: string; output?: unknown; error?: string };
  /** Its model descriptions, by `owner/name`. */
  models: Record<string, unknown>;
  /** Other files that it serves, by path. */
  files: Map<string, { contentType: string; bytes: Buffer }>;
}

/** Replicate's HTTP API: predictions of models, polled and canceled by id. */
export async function startReplicateServer(): Promise<ReplicateServer> {
  const asked = new Map<string, number>();
  let made = 0;
  const server = await startUpstream((seen, response, origin) => {
    const { method, path } = seen;
    if (path === "/files/out.mp4") return sendFile(response, "video/mp4", bytesOf(landscapeVideo));
    if (path === "/files/out.png") return sendFile(response, "image/png", bytesOf(smallImage));
    if (path === "/files/out.wav") return sendFile(response, "audio/wav", bytesOf(speechAudio));
    const file = state.files.get(path);
    if (file) return sendFile(response, file.contentType, file.bytes);
    if (path.endsWith("/cancel"))
      return sendJson(response, { id: path.split("/").at(-2), status: "canceled" });
    if (method === "POST") {
      made += 1;
      return sendJson(
        response,
        { id: `r${made}`, status: "starting", urls: {}, input: seen.json().input },
        201,
      );
    }
    const described = /\/models\/([^/]+\/[^/]+)$/.exec(path)?.[1];
    if (described !== undefined) {
      const model = state.models[described];
      return model ? sendJson(response, model) : sendJson(response, { detail: "Not found" }, 404);
    }
    const id = path.split("/").at(-1) ?? "";
    const times = (asked.get(id) ?? 0) + 1;
    asked.set(id, times);
    if (times <= state.polls) return sendJson(response, { id, status: "processing", output: null });
    const output =
      typeof state.end.output === "string" ? state.end.output.replace("ORIGIN", origin) : state.end.output;
    return sendJson(response, { id, ...state.end, output });
  });
  const state: ReplicateServer = Object.assign(server, {
    protocol: "replicate" as const,
    polls: 1,
    end: { status: "succeeded", output: "ORIGIN/files/out.mp4" },
    models: {},
    files: new Map(),
  });
  return state;
}
