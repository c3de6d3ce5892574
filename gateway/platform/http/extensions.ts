import type { Context } from "#gateway/context.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import type { App } from "./app.ts";

/**
 * With GATEWAY_EXTENSIONS=off the routes that the specification does not list answer 404, but for those by which people sign
 * in and attest: the specification lets gated models run only after that.
 */
export function installExtensionSwitch(app: App, context: Context): void {
  if (context.config.extensions) return;
  app.addHook("onRequest", async (request) => {
    const { extension, neededToAttest } = request.routeOptions.config;
    if (extension && !neededToAttest)
      throw new ApiError("route_not_found", `There is no ${request.method} ${request.url.split("?")[0]}.`);
  });
}
