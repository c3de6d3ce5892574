import "server-only";
import type { Deleted } from "#contract/list.ts";
import type { Preset, PresetCreate, PresetUpdate } from "#contract/presets.ts";
import type { GatewayResult } from "../../gateway/result.ts";
import { requestRoute } from "./request.ts";

export function getPreset(id: string): Promise<GatewayResult<Preset>> {
  return requestRoute("GET /presets/{id}", { params: { id } });
}

export function createPreset(body: PresetCreate): Promise<GatewayResult<Preset>> {
  return requestRoute("POST /presets", { body });
}

export function updatePreset(id: string, body: PresetUpdate): Promise<GatewayResult<Preset>> {
  return requestRoute("PATCH /presets/{id}", { params: { id }, body });
}

export function deletePreset(id: string): Promise<GatewayResult<Deleted>> {
  return requestRoute("DELETE /presets/{id}", { params: { id } });
}
