import { NoQuery } from "#contract/list.ts";
import { ProvidersFileExport, ProvidersFileImport, ProvidersFileImported } from "#contract/operator-file.ts";
import { callerOf } from "#gateway/accounts/audit.ts";
import type { Context } from "#gateway/context.ts";
import type { App } from "#gateway/http/app.ts";
import { actorOf } from "#gateway/http/authenticate.ts";
import { exportFile } from "./export.ts";
import { importFile } from "./import.ts";

const config = { operator: true, extension: true } as const;

/** What the console made as a providers file, and the other way round. */
export function operatorFileRoutes(app: App, context: Context): void {
  app.get(
    "/operator/file",
    { config, schema: { querystring: NoQuery, response: { 200: ProvidersFileExport } } },
    () => exportFile(context),
  );
  app.post(
    "/operator/file",
    { config, schema: { body: ProvidersFileImport, response: { 200: ProvidersFileImported } } },
    (request) => importFile(context, callerOf(request, actorOf(request)), request.body),
  );
}
