import type { Logger } from "pino";
import type { RegionName } from "#contract/catalog.ts";
import { ApiError } from "#gateway/core/api-error.ts";
import { ProviderError } from "#gateway/core/provider-error.ts";
import type { Connection } from "#gateway/providers/configuration.ts";
import { descriptionsOf } from "#gateway/providers/fal/facts.ts";
import { recordOf, recordsOf } from "#gateway/providers/http/read-body.ts";
import { baseUrlOf, settingsOf } from "#gateway/providers/upstreams/settings.ts";
import { Upstream } from "#gateway/providers/upstreams/upstream.ts";
import { falModel } from "./fal-model.ts";
import { replicateModel } from "./replicate-model.ts";
import type { UpstreamModel } from "./upstream-model.ts";

/** How long a provider may take to describe a model. */
const describeMs = 20_000;
const mostListed = 20;

interface Asking {
  connection: Connection;
  region: RegionName;
  log: Logger;
}

/** A model of Replicate by `owner/name`, or one of its versions by `owner/name:version`. Throws as `ask`. */
export async function readReplicateModel(asking: Asking, name: string): Promise<UpstreamModel> {
  const [path = "", version] = name.split(":");
  if (!/^[\w.-]+\/[\w.-]+$/.test(path))
    throw new ApiError(
      "invalid_parameter",
      "A model of Replicate is named owner/name or owner/name:version.",
      {
        param: "import.name",
      },
    );
  const model = await ask(asking, name, [`/models/${path}`]);
  const asked = version
    ? await ask(asking, name, [`/models/${path}/versions/${encodeURIComponent(version)}`])
    : null;
  return replicateModel(model, asked);
}

/** An endpoint of fal by its id. Throws as `ask`. */
export async function readFalModel(asking: Asking, name: string): Promise<UpstreamModel> {
  const { connection, region } = asking;
  if (!/^[\w.-]+(\/[\w.-]+)+$/.test(name) || name.split("/").includes(".."))
    throw new ApiError(
      "invalid_parameter",
      "An endpoint of fal is named by its id, such as fal-ai/flux/dev.",
      {
        param: "import.name",
      },
    );
  const id = encodeURIComponent(name);
  const base = URL.parse(baseUrlOf(connection.entry, region) ?? "");
  const origin = descriptionsOf(base);
  const there = {
    ...asking,
    connection: { ...connection, entry: { ...connection.entry, base_url: origin, base_urls: {} } },
  };
  const found = await ask(there, name, [
    `/v1/models?endpoint_id=${id}&expand=openapi-3.0`,
    // A server in fal's shape describes itself.
    ...(origin !== base?.origin
      ? []
      : [`/api/openapi/queue/openapi.json?endpoint_id=${id}`, `/${name}/openapi.json`]),
  ]);
  if ("paths" in found) return falModel(name, found, {});
  const model = recordsOf(found.models).find((one) => one.endpoint_id === name);
  if (!model) throw unknown(connection.name, name);
  return falModel(name, recordOf(model.openapi), recordOf(model.metadata));
}

/** What a server of OpenAI's API lists of a model; empty when it has no list. Throws as `ask`. */
export async function readListedModel(asking: Asking, name: string): Promise<Record<string, unknown>> {
  const list = await ask(asking, name, ["/models"]).catch((error: unknown) => {
    if (error instanceof ApiError && error.code === "model_not_found") return null;
    throw error;
  });
  if (list === null) return {};
  const models = recordsOf(list.data);
  const found = models.find(({ id }) => id === name);
  if (found || models.length === 0) return found ?? {};
  const names = models.slice(0, mostListed).map(({ id }) => String(id));
  throw unknown(
    asking.connection.name,
    name,
    ` It lists ${names.join(", ")}${models.length > mostListed ? ", …" : ""}.`,
  );
}

/** The first of these paths that exists. Throws `model_not_found`, or what the provider's refusal means. */
async function ask(
  { connection, region, log }: Asking,
  name: string,
  paths: readonly string[],
): Promise<Record<string, unknown>> {
  const upstream = new Upstream(settingsOf(connection, log));
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
    throw new ApiError(error.code, `${connection.name} could not be asked about ${name}: ${error.message}`, {
      cause: error,
    });
  } finally {
    await upstream.close();
  }
  throw unknown(connection.name, name);
}

function unknown(provider: string, name: string, more = ""): ApiError {
  return new ApiError("model_not_found", `${provider} has no model ${name}.${more}`, {
    param: "import.name",
  });
}
