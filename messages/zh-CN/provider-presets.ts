import type en from "../en/provider-presets.ts";
import type { Translated } from "../translated.ts";

export default {
  anotherServer: "其他兼容 {api} 的服务器",
  "api.anthropic": "Anthropic API",
  "api.dashscope": "DashScope API",
  "api.fal": "fal API",
  "api.openai": "OpenAI API",
  "api.replicate": "Replicate API",
  "api.openai_responses": "OpenAI Responses",
  "name.anthropic": "Anthropic（兼容 OpenAI）",
  "name.openai_responses": "OpenAI（Responses）",
  "name.dashscope": "DashScope（阿里云百炼）",
  "name.llama_cpp": "llama.cpp 服务器",
  "note.azure_openai": "模型名称即你的部署名称。",
  "note.anthropic": "通过兼容 OpenAI 的端点连接。",
  "note.gemini": "通过兼容 OpenAI 的端点连接。",
  "note.cohere": "用于 Cohere 的重排序模型。",
  "note.anthropic_messages": "使用 Messages API，支持带签名的思考过程和提示词缓存。",
  "note.openai_responses": "使用 Responses API，支持加密的思考过程和联网搜索。",
  "note.dashscope": "每个密钥只属于一个区域。",
} satisfies Translated<typeof en>;
