import type { Provider, ProviderRequest } from "#gateway/models/providers/provider.ts";
import { ProviderError } from "#gateway/platform/core/provider-error.ts";

/** The gateway makes these formats itself, from the WAV that every provider can return. */
const ownSpeechFormats = ["wav", "mp3", "pcm"] as const;
/** These formats are requested from providers that support them. */
const otherSpeechFormats = ["opus", "aac", "flac"] as const;
export const speechFormats: readonly string[] = [...ownSpeechFormats, ...otherSpeechFormats];

/** The format to request from the provider; undefined for formats that the gateway makes itself. */
export function askedOfProvider(format: unknown): string | undefined {
  return otherSpeechFormats.find((one) => one === format);
}

/** Throws a 400 before anything is sent if the provider cannot answer in the requested form. */
export function refuseUnable(provider: Provider, { wantsWords, speechFormat }: ProviderRequest): void {
  if (wantsWords && !provider.givesWords)
    throw unable(
      "timestamp_granularities",
      `timestamp_granularities cannot have word here: ${provider.id}, which runs this model, does not report word timings.`,
    );
  const formats = provider.speechFormats ?? [];
  if (speechFormat !== undefined && !formats.includes(speechFormat))
    throw unable(
      "response_format",
      `response_format must be ${[...ownSpeechFormats, ...formats].join(" or ")} here: ${provider.id}, which runs this model, makes no ${speechFormat}.`,
    );
}

function unable(param: string, message: string): ProviderError {
  return new ProviderError("invalid_parameter", message, { started: "no", final: true, param });
}
