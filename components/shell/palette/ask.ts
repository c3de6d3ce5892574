import type { SearchAnswer } from "#contract/search.ts";
import { foundLimit } from "#contract/search-constants.ts";
import { fetchRoute, orThrow } from "@/lib/browser/fetch-from-gateway";
import { callRoute } from "@/lib/browser/gateway";

/** What a gateway finds; one without extensions finds the models of its catalog. */
export async function askGateway(q: string, signal: AbortSignal): Promise<SearchAnswer> {
  const answer = await callRoute("GET /search", { query: { q }, signal });
  if (answer.ok || answer.error.code !== "route_not_found") return orThrow(answer);
  const { data } = await fetchRoute("GET /models", { query: { q, aliases: false }, signal });
  const models = data.slice(0, foundLimit.default).map((model) => ({
    id: model.id,
    kind: "model" as const,
    name: model.display_name ?? model.id,
    about: model.api_types.join(", "),
    state: null,
    at: null,
  }));
  const group = { kind: "model" as const, data: models, has_more: data.length > models.length };
  return { object: "search", groups: models.length > 0 ? [group] : [], partial: [] };
}
