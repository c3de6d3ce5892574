/** Bodies that make more sense than one of every field, by operation id. */
export const knownBodies: Record<string, unknown> = {
  postModelsNamespaceNamePredictions: {
    input: {
      prompt: "A paper boat on a still lake",
      quality: "low",
      size: "1024x1024",
      output_format: "png",
    },
  },
  postPredictions: {
    version: "svc/img-gen-b",
    input: {
      prompt: "A paper boat on a still lake",
      quality: "low",
      size: "1024x1024",
      output_format: "png",
    },
  },
  postAliases: { name: "gpt-5", models: ["svc/chat-1", "svc/chat-2"], go_on_when: ["busy", "down"] },
  patchAliasesId: { models: ["svc/chat-2"] },
  postOutputsIdShares: { expires_in: 86_400, show_prompt: false },
  postUploads: { filename: "harbour.png", content_type: "image/png", size_bytes: 48_213 },
  postUploadsIdVerify: {},
  postWebhooksEndpoints: { url: "https://example.com/hooks/gatehouse", events: ["prediction.succeeded"] },
  patchWebhooksEndpointsId: { status: "enabled", waiting: "send" },
  postWebhooksEndpointsIdRotateSecret: { overlap_seconds: 86_400 },
  postWebhooksDeliveriesRetry: { filter: { status: "dead-letter" }, limit: 25, dry_run: true },
  postKeys: { name: "laptop", scopes: ["inference", "predictions", "uploads"] },
  patchKeysId: { monthly_budget: { token: 2_000_000, second: 600 } },
  patchAccountBudgets: { budgets: [{ amount: "250.00", currency: "USD", period: "month", hard: true }] },
  postOperatorAccountsIdCredits: { amount: "100.00", note: "Invoice 2026-041" },
};

/** Answers of the routes whose schema leaves open what the field holds that matters, by operation id. */
export const knownAnswers: Record<string, unknown> = {
  postChatCompletions: {
    id: "gen_01k9z7m3q4r5s6t7v8w9x0y1z2",
    object: "chat.completion",
    created: 1_795_339_800,
    model: "svc/chat-1",
    choices: [
      {
        index: 0,
        message: { role: "assistant", content: "Sunlight scatters in the air." },
        finish_reason: "stop",
      },
    ],
    usage: { prompt_tokens: 24, completion_tokens: 6, total_tokens: 30 },
    svc_region: "us-oregon",
  },
  postAudioVoices: {
    action: "create",
    data: { voice: "narrator-01k9z7m3" },
    model: "svc/voice-2",
    svc_region: "cn-beijing",
  },
  postImagesGenerations: {
    id: "gen_01k9z7m3q4r5s6t7v8w9x0y1z2",
    model: "svc/img-gen-a-1",
    data: [{ url: "https://gatehouse.example/v1/files/…" }],
    svc_region: "cn-beijing",
  },
  postImagesEdits: {
    id: "gen_01k9z7m3q4r5s6t7v8w9x0y1z2",
    model: "svc/img-gen-a-1",
    data: [{ url: "https://gatehouse.example/v1/files/…" }],
    svc_region: "cn-beijing",
  },
};
