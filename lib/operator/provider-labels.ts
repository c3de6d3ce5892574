import { byName } from "#contract/by-name.ts";
import type { CutStreamRule } from "#contract/operator/constants.ts";
import type { OperatorProvider, ProviderCredential } from "#contract/operator/providers.ts";
import type { Key, Words } from "../../messages/words.ts";
import { listText } from "../words/list-text.ts";

type Label = Key<"operator">;

/** What an account pays for a stream that was cut off. */
export const cutStreamLabels: Readonly<Record<CutStreamRule, Label>> = {
  counted: "cutCounted",
  reported: "cutReported",
  nothing: "cutNothing",
};

/** The visible facts about a key, never the key itself. */
export function keyText(
  t: Words<"operator">,
  {
    has_key,
    key_hint: hint,
    ref,
    ref_permitted,
  }: Pick<ProviderCredential, "has_key" | "key_hint" | "ref" | "ref_permitted">,
): string {
  if (ref && ref_permitted === false) return t("refNotPermitted", { ref });
  if (ref) return ref;
  if (hint) return t("keyEndsIn", { hint });
  return has_key ? t("keySaved") : t("keyNone");
}

/** The keys of all regions in one line. Usually there is only one. */
export function keysText(t: Words<"operator">, { credentials }: OperatorProvider): string {
  const texts = credentials.flatMap(({ keys }) => keys.map((key) => keyText(t, key)));
  return listText(t.language, [...new Set(texts)], "plain") || t("keyNone");
}

/** The addresses to which calls go, for all regions. */
export function addressesOf({ base_url, credentials }: OperatorProvider): string[] {
  const own = credentials.flatMap((credential) => credential.base_url ?? []);
  return [...new Set(own.length > 0 ? own : base_url ? [base_url] : [])];
}

const kinds = byName<Label>({
  "chat-completions": "chatKind",
  "text-to-speech": "speechKind",
  "audio-transcription": "transcriptionKind",
  "voice-management": "voicesKind",
  "image-generation": "imagesKind",
  "image-editing": "imageEditsKind",
  "video-generation": "videoKind",
  embeddings: "embeddingsKind",
  rerank: "rankingKind",
});

/** The kind of an operation in one word. */
export function kindLabel(t: Words<"operator">, apiType: string): string {
  const label = kinds[apiType];
  return label ? t.text(label) : apiType;
}

/** The kinds that a preset can run: "Chat, images, video". */
export function runsText(t: Words<"operator">, apiTypes: readonly string[]): string {
  const text = kindsText(t, apiTypes);
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The kinds in one line, as part of a sentence. */
export function kindsText(t: Words<"operator">, apiTypes: readonly string[]): string {
  return listText(
    t.language,
    apiTypes.map((apiType) => kindLabel(t, apiType)),
    "plain",
  );
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
