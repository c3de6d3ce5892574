import type { DashScopeServer } from "./dashscope-server.ts";
import { type MappedGateway, startMappedGateway } from "./mapped-gateway.ts";

/** The region that the tests run in. */
export const region = "sg-singapore";

/** A gateway whose models are mapped to this server of DashScope's API, in three regions. */
export function startDashScopeGateway(upstream: DashScopeServer): Promise<MappedGateway> {
  const credential = { env: "TEST_DASHSCOPE_KEY" };
  const provider = {
    protocol: "dashscope",
    base_urls: { [region]: upstream.origin, "cn-beijing": upstream.origin, "us-virginia": upstream.origin },
    credentials: {
      [region]: credential,
      "cn-beijing": { env: "TEST_UPSTREAM_KEY" },
      "us-virginia": credential,
    },
  };
  const route = (models: string[], upstreamModel: string, more: object = {}) => ({
    models,
    provider: "ms",
    upstream_model: upstreamModel,
    ...more,
  });
  return startMappedGateway({
    providers: { ms: provider, linked: { ...provider, media: "url" } },
    routes: [
      route(["svc/chat-2"], "qwen-chat"),
      route(["svc/tts-a-2", "svc/tts-b-2"], "qwen-tts-vc"),
      route(["svc/asr-1"], "qwen-asr"),
      route(["svc/voice-1"], "qwen-voice-enrollment"),
      route(["svc/voice-2"], "voice-enrollment"),
      route(["svc/img-gen-a-1"], "qwen-image"),
      route(["svc/vid-t2v", "svc/vid-r2v", "svc/adult-i2v-1"], "wan-video"),
      { ...route(["svc/vid-edit"], "wan-edit"), provider: "linked" },
      route(["svc/adult-vid-1"], "wan-adult", { fields: { set: { watermark: false } } }),
    ],
  });
}
