import type { OutputQuery } from "#contract/outputs.ts";
import { libraryRoutes } from "#contract/routes/outputs.ts";
import { callerOf } from "#gateway/access/accounts/audit.ts";
import type { Context } from "#gateway/context.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import type { App } from "#gateway/platform/http/app.ts";
import { actorOf } from "#gateway/platform/http/authenticate.ts";
import { serve } from "#gateway/platform/http/serve.ts";
import { listOutputs } from "#gateway/runs/provenance/list.ts";
import { keepOutput } from "./keep.ts";
import { listLabels } from "./labels.ts";
import { listKept } from "./list.ts";
import { readOutput } from "./read.ts";
import { removeKept } from "./remove.ts";

/** Answers contain signed URLs: they must not be cached. */
const noStore = { "cache-control": "no-store" };

export function installLibrary(app: App, context: Context): void {
  serve(app, libraryRoutes, {
    "GET /outputs": (request, reply) => {
      reply.headers(noStore);
      const { query } = request;
      if (query.kept) return listKept(context, actorOf(request), query);
      refuseLibraryFilters(query);
      return listOutputs(context, actorOf(request), query);
    },
    "GET /outputs/labels": (request) => listLabels(context, actorOf(request).accountId),
    "GET /outputs/{id}": (request, reply) => {
      reply.headers(noStore);
      return readOutput(context, actorOf(request), request.params.id);
    },
    "POST /outputs/{id}/keep": (request, reply) => {
      reply.headers(noStore);
      return keepOutput(context, callerOf(request, actorOf(request)), request.params.id, request.body);
    },
    "DELETE /outputs/{id}/keep": (request) =>
      removeKept(context, callerOf(request, actorOf(request)), request.params.id),
  });
}

/** A filter that is ignored would mean "everything". */
function refuseLibraryFilters(query: OutputQuery): void {
  for (const param of ["label", "search"] as const)
    if (query[param] !== undefined)
      throw new ApiError("invalid_parameter", `${param} searches kept files: send kept=true with it.`, {
        param,
      });
}
