import type { ApiType } from "#contract/catalog.ts";
import { listed, type ProtocolFacts, preset } from "../protocol-facts.ts";

const modelsPath = "/compatible-mode/v1/models";
/** All kinds that it runs. */
export const dashScopeKinds: ApiType[] = [
  "chat-completions",
  "text-to-speech",
  "audio-transcription",
  "voice-management",
  "image-generation",
  "image-editing",
  "video-generation",
];

export const dashScopeFacts: ProtocolFacts = {
  checks: () => [{ path: modelsPath, success: listed }],
  listPaths: () => [modelsPath],
  searches: true,
  describeModel: null,
  servicePaths: true,
  presets: [
    preset({
      id: "dashscope",
      name: "DashScope (Alibaba Cloud Model Studio)",
      base_urls: {
        "cn-beijing": "https://dashscope.aliyuncs.com",
        "sg-singapore": "https://dashscope-intl.aliyuncs.com",
        "us-virginia": "https://dashscope-us.aliyuncs.com",
      },
      key_url: "https://bailian.console.alibabacloud.com/?tab=model#/api-key",
      runs: dashScopeKinds,
      note: "A key belongs to one region.",
    }),
    preset({
      id: "dashscope-like",
      name: "Another server of DashScope's API",
      place: "other",
      runs: dashScopeKinds,
    }),
  ],
};
