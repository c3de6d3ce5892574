import type { Context } from "#gateway/context.ts";
import { ApiError } from "#gateway/core/api-error.ts";
import type { App } from "./app.ts";

/** With GATEWAY_EXTENSIONS=off the routes that the specification does not list answer 404. */
export function installExtensionSwitch(app: App, context: Context): void {
  if (context.config.extensions) return;
  app.addHook("onRequest", async (request) => {
    if (request.routeOptions.config.extension)
      throw new ApiError("route_not_found", `There is no ${request.method} ${request.url.split("?")[0]}.`);
  });
}
