"use server";

import type { Deleted } from "#contract/list.ts";
import type { Preset, PresetCreate, PresetUpdate } from "#contract/presets.ts";
import type { ActionResult } from "@/lib/gateway/result";
import { requestRoute } from "@/lib/server/gateway/request";

export async function savePreset(body: PresetCreate): ActionResult<Preset> {
  return { answer: requestRoute("POST /presets", { body }) };
}

export async function changePreset(id: string, body: PresetUpdate): ActionResult<Preset> {
  return { answer: requestRoute("PATCH /presets/{id}", { params: { id }, body }) };
}

export async function removePreset(id: string): ActionResult<Deleted> {
  return { answer: requestRoute("DELETE /presets/{id}", { params: { id } }) };
}

export async function restorePresetVersion(
  id: string,
  version: number,
  current: number,
): ActionResult<Preset> {
  return {
    answer: requestRoute("POST /presets/{id}/versions/{version}/restore", {
      params: { id, version: String(version) },
      body: { version: current },
    }),
  };
}
