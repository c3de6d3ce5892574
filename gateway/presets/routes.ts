import { Type } from "typebox";
import { Deleted } from "#contract/list.ts";
import { Preset, PresetCreate, PresetList, PresetQuery, PresetUpdate } from "#contract/presets.ts";
import { callerOf } from "#gateway/accounts/audit.ts";
import type { Context } from "#gateway/context.ts";
import type { App } from "#gateway/http/app.ts";
import { actorOf } from "#gateway/http/authenticate.ts";
import { sendOnce } from "#gateway/http/idempotency.ts";
import { createPreset } from "./create.ts";
import { deletePreset } from "./delete.ts";
import { findPreset } from "./find.ts";
import { listPresets } from "./list.ts";
import { updatePreset } from "./update.ts";
import { presetView } from "./view.ts";

const Params = Type.Object({ id: Type.String() });

export function presetRoutes(app: App, context: Context): void {
  app.get(
    "/presets",
    {
      config: { permission: "presets:read", extension: true },
      schema: { querystring: PresetQuery, response: { 200: PresetList } },
    },
    (request) => listPresets(context, actorOf(request).accountId, request.query),
  );
  app.post(
    "/presets",
    {
      config: { permission: "presets:write", extension: true, idempotent: true },
      schema: { body: PresetCreate, response: { 201: Preset } },
    },
    async (request, reply) => {
      const caller = callerOf(request, actorOf(request));
      return sendOnce(context, request, reply, caller.actor, async () => {
        const preset = await createPreset(context, caller, request.body);
        const location = `${context.config.publicUrl}/v1/presets/${preset.id}`;
        return { status: 201, headers: { location }, body: preset };
      });
    },
  );
  app.get(
    "/presets/:id",
    {
      config: { permission: "presets:read", extension: true },
      schema: { params: Params, response: { 200: Preset } },
    },
    async (request) => {
      const { accountId } = actorOf(request);
      return presetView(context, await findPreset(context.database.queries, accountId, request.params.id));
    },
  );
  app.patch(
    "/presets/:id",
    {
      config: { permission: "presets:write", extension: true },
      schema: { params: Params, body: PresetUpdate, response: { 200: Preset } },
    },
    (request) => updatePreset(context, callerOf(request, actorOf(request)), request.params.id, request.body),
  );
  app.delete(
    "/presets/:id",
    {
      config: { permission: "presets:write", extension: true },
      schema: { params: Params, response: { 200: Deleted } },
    },
    (request) => deletePreset(context, callerOf(request, actorOf(request)), request.params.id),
  );
}
