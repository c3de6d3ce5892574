"use server";

import type { Deleted } from "#contract/list.ts";
import type { Preset, PresetCreate, PresetUpdate } from "#contract/presets.ts";
import type { Acting } from "@/lib/gateway/result";
import { createPreset, deletePreset, updatePreset } from "@/lib/server/gateway/presets";

export async function savePreset(body: PresetCreate): Acting<Preset> {
  return { answer: createPreset(body) };
}

export async function changePreset(id: string, body: PresetUpdate): Acting<Preset> {
  return { answer: updatePreset(id, body) };
}

export async function removePreset(id: string): Acting<Deleted> {
  return { answer: deletePreset(id) };
}
