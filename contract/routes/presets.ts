import { Type } from "typebox";
import { Deleted, NoQuery } from "../list.ts";
import {
  Preset,
  PresetCreate,
  PresetList,
  PresetQuery,
  PresetRestore,
  PresetUpdate,
  PresetVersion,
  PresetVersionList,
} from "../presets.ts";
import type { Routes } from "./route.ts";

const VersionParams = Type.Object({ id: Type.String(), version: Type.Integer({ minimum: 1 }) });

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
    location: "{url}/v1/presets/{id}",
    byClick: true,
    body: PresetCreate,
    answers: { 201: Preset },
  },
  "GET /presets/{id}": {
    summary: "Read a preset, with the parts that no longer match the schema",
    permission: "presets:read",
    extension: true,
    fromBrowser: true,
    answers: { 200: Preset },
  },
  "PATCH /presets/{id}": {
    summary: "Rename a preset, or replace its input",
    permission: "presets:write",
    extension: true,
    byClick: true,
    body: PresetUpdate,
    answers: { 200: Preset },
  },
  "DELETE /presets/{id}": {
    summary: "Delete a preset",
    permission: "presets:write",
    extension: true,
    fromBrowser: true,
    byClick: true,
    answers: { 200: Deleted },
  },
  "GET /presets/{id}/versions": {
    summary: "List the versions of a preset, without their inputs",
    permission: "presets:read",
    extension: true,
    fromBrowser: true,
    query: NoQuery,
    answers: { 200: PresetVersionList },
  },
  "GET /presets/{id}/versions/{version}": {
    summary: "Read an earlier version of a preset",
    permission: "presets:read",
    extension: true,
    params: VersionParams,
    query: NoQuery,
    answers: { 200: PresetVersion },
  },
  "POST /presets/{id}/versions/{version}/restore": {
    summary: "Restore an earlier version of a preset, as a new version",
    permission: "presets:write",
    extension: true,
    byClick: true,
    params: VersionParams,
    body: PresetRestore,
    answers: { 200: Preset },
  },
} as const satisfies Routes;
