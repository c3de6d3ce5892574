import { Deleted } from "../list.ts";
import { Preset, PresetCreate, PresetList, PresetQuery, PresetUpdate } from "../presets.ts";
import type { Routes } from "./route.ts";

export const presetRoutes = {
  "GET /presets": {
    summary: "List presets, without their inputs",
    permission: "presets:read",
    extension: true,
    fromBrowser: true,
    query: PresetQuery,
    answers: { 200: PresetList },
  },
  "POST /presets": {
    summary: "Save an input under a name",
    permission: "presets:write",
    extension: true,
    idempotent: true,
    body: PresetCreate,
    answers: { 201: Preset },
  },
  "GET /presets/{id}": {
    summary: "Read a preset, and what of it no longer fits",
    permission: "presets:read",
    extension: true,
    fromBrowser: true,
    answers: { 200: Preset },
  },
  "PATCH /presets/{id}": {
    summary: "Rename a preset, or replace its input",
    permission: "presets:write",
    extension: true,
    body: PresetUpdate,
    answers: { 200: Preset },
  },
  "DELETE /presets/{id}": {
    summary: "Delete a preset",
    permission: "presets:write",
    extension: true,
    fromBrowser: true,
    answers: { 200: Deleted },
  },
} as const satisfies Routes;
