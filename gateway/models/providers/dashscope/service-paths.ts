/** The paths of DashScope's services below a region's host. */
export const servicePaths = {
  chat: "/compatible-mode/v1/chat/completions",
  /** Speech, transcription and images that are answered at once. */
  multimodal: "/api/v1/services/aigc/multimodal-generation/generation",
  voices: "/api/v1/services/audio/tts/customization",
  imageJob: "/api/v1/services/aigc/image-generation/generation",
  videoJob: "/api/v1/services/aigc/video-generation/video-synthesis",
  task: (id: string) => `/api/v1/tasks/${encodeURIComponent(id)}`,
} as const;

/** The header that makes a service answer with a task instead of the result. */
export const asJob = { "x-dashscope-async": "enable" } as const;
