import type { ApiType, CatalogModel } from "#contract/catalog.ts";
import type { Words } from "../../messages/words.ts";
import { runsText } from "./provider-labels.ts";

/** The names that programs for other services usually send, by kind of operation. */
export const usualNames = {
  "chat-completions": [
    "gpt-4o",
    "gpt-4o-mini",
    "gpt-4.1",
    "gpt-4.1-mini",
    "gpt-5",
    "gpt-5-mini",
    "claude-sonnet-4-5",
    "claude-haiku-4-5",
    "gemini-2.5-pro",
    "gemini-2.5-flash",
  ],
  embeddings: ["text-embedding-3-small", "text-embedding-3-large"],
  "text-to-speech": ["tts-1", "gpt-4o-mini-tts"],
  "audio-transcription": ["whisper-1", "gpt-4o-transcribe"],
  "image-generation": ["gpt-image-1", "dall-e-3"],
  "video-generation": ["sora-2"],
} as const satisfies Partial<Record<ApiType, readonly string[]>>;
export type NamedKind = keyof typeof usualNames;

const namedKinds = Object.keys(usualNames) as NamedKind[];

/** The ids of the models that can run each kind. */
export type ModelsByKind = readonly { kind: NamedKind; models: readonly string[] }[];

/** The models of each kind. Those that a provider runs come first, because the sandbox runs the others. */
export function modelsByKind(models: readonly CatalogModel[]): ModelsByKind {
  const isServed = ({ operations }: CatalogModel) =>
    operations.some(({ deployments }) => deployments.some(({ svc_served_by: by }) => by === "provider"));
  const sorted = models.toSorted((a, b) => Number(isServed(b)) - Number(isServed(a)));
  return namedKinds.map((kind) => ({
    kind,
    models: sorted.filter(({ api_types: kinds }) => kinds.includes(kind)).map(({ id }) => id),
  }));
}

interface FreeNames {
  label: string;
  names: readonly string[];
  models: readonly string[];
}

/**
 * The usual names that do not exist yet, with the models that each may stand for. Vectors of different models
 * cannot be compared, so the name of an embedding model only stands for the model of that name.
 */
export function freeNames(
  t: Words<"operator">,
  models: ModelsByKind,
  existing: readonly string[],
): FreeNames[] {
  const rows = models.flatMap(({ kind, models: ids }): FreeNames[] => {
    const label = runsText(t, [kind]);
    const names = usualNames[kind].filter((name) => !existing.includes(name));
    if (kind !== "embeddings") return [{ label, names, models: ids }];
    return names.map((name) => ({
      label: t("kindNamed", { kind: label, name }),
      names: [name],
      models: ids.filter((id) => id.endsWith(`/${name}`)),
    }));
  });
  return rows.filter((row) => row.names.length > 0 && row.models.length > 0);
}
