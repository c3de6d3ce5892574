import { Type } from "typebox";
import { type ApiType, apiTypes } from "#contract/catalog.ts";
import type { Context } from "#gateway/context.ts";
import { ApiError } from "#gateway/http/api-error.ts";
import type { App } from "#gateway/http/app.ts";
import { actorOf } from "#gateway/http/authenticate.ts";
import { operationPaths } from "./admit.ts";
import { parseBody } from "./multipart.ts";
import { runOperation } from "./run-operation.ts";

/** Bytes of a JSON body: a chat is bounded by its entry, the others by the media that may stand in it as data URIs. */
const jsonBodyBytes: Record<ApiType, number> = {
  "chat-completions": 4_000_000,
  "text-to-speech": 1_000_000,
  "audio-transcription": 16_000_000,
  "voice-management": 42_000_000,
  "image-generation": 4_000_000,
  "image-editing": 64_000_000,
  "video-generation": 64_000_000,
};
const operation = { scope: "inference", operation: true, idempotent: true } as const;

/** One route per kind, and the generic one in Replicate's shape. */
export function operationRoutes(app: App, context: Context): void {
  for (const apiType of apiTypes) {
    const paths = [
      operationPaths[apiType],
      ...(apiType === "video-generation" ? ["/videos/generations"] : []),
    ];
    for (const path of paths) {
      app.post(path, { config: operation, bodyLimit: jsonBodyBytes[apiType] }, async (request, reply) => {
        const parsed = await parseBody(context, request, actorOf(request).accountId);
        return runOperation(context, request, reply, apiType, parsed);
      });
    }
  }
  app.post(
    "/models/:namespace/:name/predictions",
    {
      config: { ...operation, extension: true },
      bodyLimit: jsonBodyBytes["video-generation"],
      schema: { params: Type.Object({ namespace: Type.String(), name: Type.String() }) },
    },
    async (request, reply) => {
      const { input } = (request.body ?? {}) as { input?: unknown };
      if (typeof input !== "object" || input === null || Array.isArray(input))
        throw new ApiError("missing_parameter", "input must be an object", { param: "input" });
      const body = {
        ...(input as Record<string, unknown>),
        model: `${request.params.namespace}/${request.params.name}`,
      };
      return runOperation(context, request, reply, null, { body, fingerprint: body, fromText: false });
    },
  );
}
