/** The upstream protocols, without schemas, which pages do not need. */
export const providerProtocols = ["openai", "dashscope", "replicate", "fal"] as const;
export type ProviderProtocol = (typeof providerProtocols)[number];
