import { byName } from "#contract/by-name.ts";
import type { CutStreamRule } from "#contract/operator/constants.ts";
import type { OperatorProvider, ProviderCredential } from "#contract/operator/providers.ts";

/** What an account pays for a stream that was cut off. */
export const cutStreamLabels: Readonly<Record<CutStreamRule, string>> = {
  counted: "The counted usage",
  reported: "Only the usage that the provider reported",
  nothing: "Nothing",
};

/** The visible facts about a key, never the key itself. */
export function keyText({
  has_key,
  key_hint,
  ref,
  ref_permitted,
}: Pick<ProviderCredential, "has_key" | "key_hint" | "ref" | "ref_permitted">): string {
  if (ref && ref_permitted === false)
    return `${ref} (this name is not permitted for keys; the variable still works, but use another)`;
  if (ref) return ref;
  if (key_hint) return `ends in ${key_hint}`;
  return has_key ? "saved" : "none";
}

/** The keys of all regions in one line. Usually there is only one. */
export function keysText({ credentials }: OperatorProvider): string {
  return [...new Set(credentials.flatMap(({ keys }) => keys.map(keyText)))].join(", ") || "none";
}

/** The addresses to which calls go, for all regions. */
export function addressesOf({ base_url, credentials }: OperatorProvider): string[] {
  const own = credentials.flatMap((credential) => credential.base_url ?? []);
  return [...new Set(own.length > 0 ? own : base_url ? [base_url] : [])];
}

const kinds = byName<string>({
  "chat-completions": "chat",
  "text-to-speech": "speech",
  "audio-transcription": "transcription",
  "voice-management": "voices",
  "image-generation": "images",
  "image-editing": "image edits",
  "video-generation": "video",
  embeddings: "embeddings",
  rerank: "ranking",
});

/** The kind of an operation in one word. */
export function kindLabel(apiType: string): string {
  return kinds[apiType] ?? apiType;
}

/** The kinds that a preset can run: "Chat, images, video". */
export function runsText(apiTypes: readonly string[]): string {
  const text = apiTypes.map(kindLabel).join(", ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The three steps from a provider's key to a first run, for operators of a new installation. */
export const guideHref = "/operator/first-steps/connect";

/** The page to add a provider, either on its own or as the first of the three steps. */
export function newProviderHref(guided = false): string {
  return guided ? guideHref : "/operator/providers/new";
}

/** The page after connecting a provider. It tests the provider. */
export function connectedHref(id: string, guided = false): string {
  const name = encodeURIComponent(id);
  return guided ? `${guideHref}?provider=${name}&test=now` : `/operator/providers/${name}?test=now`;
}
