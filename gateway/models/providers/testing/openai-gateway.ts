import { keyIn, type MappedGateway, providerAt, startMappedGateway } from "./mapped-gateway.ts";
import type { OpenAiServer } from "./openai-server.ts";

/** A gateway whose models are mapped to this server of OpenAI's API. */
export function startOpenAiGateway(upstream: OpenAiServer): Promise<MappedGateway> {
  const provider = providerAt(upstream, {
    credentials: keyIn("us-virginia", "sg-singapore"),
    timeouts_ms: { answer: 2_000 },
  });
  return startMappedGateway({
    providers: { main: provider },
    routes: [
      {
        models: ["svc/chat-1", "svc/chat-2"],
        provider: "main",
        upstream_model: "upstream-model",
        fields: { rename: { max_tokens: "max_completion_tokens" }, set: { service_tier: "default" } },
      },
      {
        models: ["svc/tts-b-2"],
        provider: "main",
        upstream_model: "tts-1",
        fields: { defaults: { voice: "alloy" } },
      },
      {
        models: ["svc/asr-1", "svc/img-gen-a-1", "svc/vid-t2v"],
        provider: "main",
        upstream_model: "upstream-model",
      },
      {
        models: ["svc/asr-2"],
        provider: "main",
        upstream_model: "upstream-model",
        fields: { set: { include: ["logprobs"] } },
      },
      { models: ["svc/img-gen-b"], provider: "main", upstream_model: "gpt-image" },
    ],
  });
}
