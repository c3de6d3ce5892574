import { presetRoutes } from "#contract/routes/presets.ts";
import { callerOf } from "#gateway/access/accounts/audit.ts";
import type { Context } from "#gateway/context.ts";
import type { App } from "#gateway/platform/http/app.ts";
import { actorOf } from "#gateway/platform/http/authenticate.ts";
import { sendOnce } from "#gateway/platform/http/idempotency.ts";
import { serve } from "#gateway/platform/http/serve.ts";
import { createPreset } from "./create.ts";
import { deletePreset } from "./delete.ts";
import { findPreset } from "./find.ts";
import { listPresets } from "./list.ts";
import { restoreVersion } from "./restore.ts";
import { updatePreset } from "./update.ts";
import { listVersions, readVersion } from "./versions.ts";
import { presetView } from "./view.ts";

export function installPresets(app: App, context: Context): void {
  serve(app, presetRoutes, {
    "GET /presets": (request) => listPresets(context, actorOf(request).accountId, request.query),
    "POST /presets": async (request, reply) => {
      const caller = callerOf(request, actorOf(request));
      return sendOnce(context, request, reply, caller.actor, async () => {
        const preset = await createPreset(context, caller, request.body);
        const location = `${context.config.publicUrl}/v1/presets/${preset.id}`;
        return { status: 201, headers: { location }, body: preset };
      });
    },
    "GET /presets/{id}": async (request) => {
      const { accountId } = actorOf(request);
      return presetView(context, await findPreset(context.database.queries, accountId, request.params.id));
    },
    "PATCH /presets/{id}": (request) =>
      updatePreset(context, callerOf(request, actorOf(request)), request.params.id, request.body),
    "GET /presets/{id}/versions": (request) =>
      listVersions(context, actorOf(request).accountId, request.params.id),
    "GET /presets/{id}/versions/{version}": (request) =>
      readVersion(context, actorOf(request).accountId, request.params.id, request.params.version),
    "POST /presets/{id}/versions/{version}/restore": (request) => {
      const { id, version } = request.params;
      return restoreVersion(context, callerOf(request, actorOf(request)), id, version, request.body);
    },
    "DELETE /presets/{id}": (request) =>
      deletePreset(context, callerOf(request, actorOf(request)), request.params.id),
  });
}
