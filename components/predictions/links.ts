import type { Prediction } from "#contract/prediction.ts";

/** What an id looks like, in fields for one. */
export const idExample = "pred_…";

/** The playground of the prediction's operation, filled with the prediction's input. */
export function playgroundHref(prediction: Pick<Prediction, "id" | "model" | "api_type">): string {
  const model = prediction.model.split("/").map(encodeURIComponent).join("/");
  return `/playground/${model}/${prediction.api_type}?from=${prediction.id}`;
}

/** The public address of the prediction's gateway, which ends with `/v1`. */
export function gatewayUrl({ poll_url: pollUrl }: Pick<Prediction, "poll_url">): string {
  return pollUrl.split("/predictions/", 1)[0] ?? "";
}

/** A prediction's page. `search` keeps the list's filters, so that J and K follow the filtered list. */
export function predictionHref(id: string, search = ""): string {
  return `/predictions/${id}${search}`;
}

/** More predictions would not fit side by side. */
export const maxCompared = 4;

/** The comparison of these predictions, in this order, without duplicates. */
export function compareHref(ids: readonly string[]): string {
  const kept = [...new Set(ids)].slice(0, maxCompared);
  return `/predictions/compare?ids=${kept.map(encodeURIComponent).join(",")}`;
}
