import type { Logger } from "pino";
import type { RegionName } from "#contract/catalog.ts";
import type { Connection } from "#gateway/models/providers/configuration.ts";
import type { AskAboutModel } from "#gateway/models/providers/descriptions/upstream-model.ts";
import { baseUrlOf, settingsOf } from "#gateway/models/providers/upstreams/settings.ts";
import { Upstream } from "#gateway/models/providers/upstreams/upstream.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { ProviderError } from "#gateway/platform/core/provider-error.ts";

/** How long a provider may take to describe a model. */
const describeMs = 20_000;

interface Asking {
  connection: Connection;
  region: RegionName;
  log: Logger;
}

/** The questions about `name`, put to a connection. */
export function askAboutModel({ connection, region, log }: Asking, name: string): AskAboutModel {
  const unknown = (more = "") =>
    new ApiError("model_not_found", `${connection.name} has no model ${name}.${more}`, {
      param: "import.name",
    });
  return {
    base: URL.parse(baseUrlOf(connection.entry, region) ?? ""),
    unknown,
    async first(paths, base) {
      const elsewhere = base === undefined ? {} : { base_url: base, base_urls: {} };
      const there = { ...connection, entry: { ...connection.entry, ...elsewhere } };
      const upstream = new Upstream(settingsOf(there, log));
      const signal = AbortSignal.timeout(describeMs);
      const gone = () => new ProviderError("model_not_found", "", { started: "no" });
      try {
        for (const path of paths)
          try {
            return await upstream.json({ region, signal }, { method: "GET", path, gone, wait: "job" });
          } catch (error) {
            if (!(error instanceof ProviderError) || error.code !== "model_not_found") throw error;
          }
      } catch (error) {
        if (!(error instanceof ProviderError)) throw error;
        const message = `${connection.name} could not be asked about ${name}: ${error.message}`;
        throw new ApiError(error.code, message, { cause: error });
      } finally {
        await upstream.close();
      }
      throw unknown();
    },
  };
}
