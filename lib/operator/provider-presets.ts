import type { ProviderPreset } from "#contract/operator/providers.ts";
import type { Words } from "@/messages/words";

type T = Words<"providerPresets">;

/** The preset's name. Most providers have the same name in every language. */
export function presetName(t: T, preset: Pick<ProviderPreset, "id" | "name">): string {
  const own = `name.${wordOf(preset.id)}`;
  if (t.has(own)) return t.text(own);
  const api = serverApi(t, preset);
  return api === null ? preset.name : t("anotherServer", { api });
}

/** The API of a preset for any server that speaks it. Null for other presets. */
export function serverApi(t: T, { id }: Pick<ProviderPreset, "id">): string | null {
  const name = `api.${wordOf(id.replace(/-like$/, ""))}`;
  return id.endsWith("-like") && t.has(name) ? t.text(name) : null;
}

/** What to know of a preset before it is connected. Null: nothing. */
export function presetNote(t: T, { id, note }: Pick<ProviderPreset, "id" | "note">): string | null {
  const name = `note.${wordOf(id)}`;
  return note !== null && t.has(name) ? t.text(name) : note;
}

function wordOf(id: string): string {
  return id.replaceAll("-", "_");
}
