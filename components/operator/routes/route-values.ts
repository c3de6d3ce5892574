import type { ApiType, RegionName } from "#contract/catalog-constants.ts";
import type { RouteReason } from "#contract/operator/constants.ts";
import type { RouteEntry } from "#contract/operator/routes.ts";
import { fieldsOf, type Rule } from "@/lib/operator/field-rules";
import { isUsual } from "@/lib/operator/route-entry";
import type { ProviderModelValues } from "../provider-model-fields.tsx";

export interface RouteValues extends ProviderModelValues {
  models: string[];
  apiTypes: ApiType[];
  regions: RegionName[];
  priority: string;
  weight: string;
  path: string;
  /** Null: as a route that says nothing about it. */
  goOnWhen: RouteReason[] | null;
  thinksSilently: "" | "yes" | "no";
  waitForRetryAfter: string;
  skipsMalformed: boolean;
  continuesStreams: boolean;
  acceptsPrefill: boolean;
  rules: Rule[];
}

/** The route that the form says; null while something is missing. */
export function entryFrom(values: RouteValues, kinds: readonly ApiType[]): RouteEntry | null {
  const upstream = values.upstream.trim();
  if (values.models.length === 0 || !values.provider || !upstream) return null;
  const fields = fieldsOf(values.rules);
  const path = values.path.trim();
  return {
    models: values.models,
    provider: values.provider,
    upstream_model: upstream,
    priority: wholeNumber(values.priority, 0),
    ...(values.weight.trim() && { weight: wholeNumber(values.weight, 1) }),
    ...(values.apiTypes.length > 0 && { api_types: values.apiTypes }),
    ...(values.regions.length > 0 && { regions: values.regions }),
    ...(path && { path }),
    ...(fields && { fields }),
    ...(values.goOnWhen && !isUsual(values.goOnWhen, kinds) && { go_on_when: values.goOnWhen }),
    ...(values.thinksSilently && { thinks_silently: values.thinksSilently === "yes" }),
    ...(wholeNumber(values.waitForRetryAfter, 0) !== 0 && {
      wait_for_retry_after_ms: wholeNumber(values.waitForRetryAfter, 0),
    }),
    ...(values.continuesStreams && { continue_streams: true }),
    ...(values.acceptsPrefill && { accepts_prefill: true }),
    ...(values.skipsMalformed && { malformed_events: "skip" as const }),
  };
}

/** The gateway says what is wrong with another number. */
function wholeNumber(text: string, usual: number): number {
  const number = Number(text.trim());
  return text.trim() === "" || Number.isNaN(number) ? usual : number;
}
