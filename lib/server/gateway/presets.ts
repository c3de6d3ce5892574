import "server-only";
import type { Deleted } from "#contract/list.ts";
import type { Preset, PresetCreate, PresetUpdate } from "#contract/presets.ts";
import type { GatewayResult } from "../../gateway/result.ts";
import { requestGateway } from "./request.ts";

const preset = (id: string) => `/presets/${encodeURIComponent(id)}`;

export function getPreset(id: string): Promise<GatewayResult<Preset>> {
  return requestGateway(preset(id));
}

export function createPreset(body: PresetCreate): Promise<GatewayResult<Preset>> {
  return requestGateway("/presets", { method: "POST", body });
}

export function updatePreset(id: string, body: PresetUpdate): Promise<GatewayResult<Preset>> {
  return requestGateway(preset(id), { method: "PATCH", body });
}

export function deletePreset(id: string): Promise<GatewayResult<Deleted>> {
  return requestGateway(preset(id), { method: "DELETE" });
}
