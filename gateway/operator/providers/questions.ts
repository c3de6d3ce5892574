import type { RegionName } from "#contract/catalog.ts";
import type { UpstreamModel } from "#contract/operator-providers.ts";
import type { Connection } from "#gateway/providers/configuration.ts";
import { isRecord, recordOf, recordsOf, textOf } from "#gateway/providers/http/read-body.ts";
import { baseUrlOf } from "#gateway/providers/upstreams/settings.ts";

/** fal's own queue is described elsewhere than it is called; a server in its shape describes itself. */
export const falDescriptions = "https://api.fal.ai";
/** A request that nobody has made: its state costs nothing, and takes a good key. */
const noRequest = "/fal-ai/flux/requests/00000000-0000-0000-0000-000000000000/status";

/** A question that costs nothing and takes a key, and what its answers mean. */
export interface Check {
  path: string;
  /** Statuses that prove the address and key although they are no success. */
  provenBy?: readonly number[];
  /** What is said when it went well. */
  success(body: unknown): string;
}

/** What to ask a provider, first to last: the next where one is not known (404). */
export function checksOf({ entry }: Connection, base: URL): readonly Check[] {
  switch (entry.protocol) {
    case "replicate":
      return [
        { path: "/account", success: (body) => account(textOf(recordOf(body).username)) },
        { path: "/models", success: () => "It lists its models." },
      ];
    case "fal":
      return [{ path: noRequest, provenBy: [400, 404, 405, 422], success: () => "The queue answers." }];
    case "dashscope":
      return [{ path: "/compatible-mode/v1/models", success: listed }];
    default:
      // OpenRouter shows its list to everybody: only this proves a key.
      return base.hostname === "openrouter.ai"
        ? [{ path: "/key", success: () => "The key is good." }]
        : [{ path: "/models", success: listed }];
  }
}

/** Where a provider lists models that match a text; `/`-paths are below the base URL. */
export function listPaths({ entry }: Connection, base: URL, q: string): readonly string[] {
  const text = encodeURIComponent(q);
  switch (entry.protocol) {
    case "replicate":
      return q ? [`/search?query=${text}`, "/models"] : ["/models"];
    case "fal": {
      const isFal = /(^|\.)fal\.(run|ai)$/.test(base.hostname);
      return [`${isFal ? falDescriptions : base.origin}/v1/models?limit=100${q ? `&q=${text}` : ""}`];
    }
    case "dashscope":
      return ["/compatible-mode/v1/models"];
    default:
      return ["/models"];
  }
}

/** The models in an answer of any of these. */
export function modelsIn(body: unknown): UpstreamModel[] {
  const top = recordOf(body);
  const found = [top.data, top.results, top.models].map(recordsOf).find((list) => list.length > 0);
  const rows = found ?? (Array.isArray(body) ? body.filter(isRecord) : []);
  return rows.flatMap((row): UpstreamModel[] => {
    const model = isRecord(row.model) ? row.model : row;
    const owned = textOf(model.owner) && textOf(model.name) ? `${model.owner}/${model.name}` : null;
    const id = textOf(model.endpoint_id) ?? owned ?? textOf(model.id) ?? textOf(model.name);
    if (id === null) return [];
    const about = recordOf(model.metadata);
    const description =
      textOf(model.description) ??
      textOf(about.display_name) ??
      textOf(model.display_name) ??
      textOf(model.name);
    return [{ id, object: "upstream_model", description: description === id ? null : description }];
  });
}

/** An address below the base URL of a region, or elsewhere; null where the region has no address. */
export function urlOf(connection: Connection, region: RegionName, path = ""): URL | null {
  const base = baseUrlOf(connection.entry, region);
  if (base === null) return null;
  return URL.parse(path.startsWith("/") || path === "" ? base.replace(/\/+$/, "") + path : path);
}

function listed(body: unknown): string {
  const count = modelsIn(body).length;
  return count === 1 ? "It lists 1 model." : `It lists ${count} models.`;
}

function account(name: string | null): string {
  return name === null ? "The key is good." : `The key belongs to ${name}.`;
}
