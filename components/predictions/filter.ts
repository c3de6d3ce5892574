import {
  createSerializer,
  type inferParserType,
  parseAsIsoDateTime,
  parseAsString,
  parseAsStringLiteral,
} from "nuqs/server";

export const periods = ["1h", "24h", "7d", "custom"] as const;
export type Period = (typeof periods)[number];

const periodHours: Record<Exclude<Period, "custom">, number> = { "1h": 1, "24h": 24, "7d": 168 };

/** The list's filters and its place, as they stand in the URL. */
export const predictionFilterParsers = {
  status: parseAsString,
  model: parseAsString,
  api_type: parseAsString,
  region: parseAsString,
  member: parseAsString,
  period: parseAsStringLiteral(periods),
  from: parseAsIsoDateTime,
  to: parseAsIsoDateTime,
  after: parseAsString,
  before: parseAsString,
};

export type PredictionFilter = inferParserType<typeof predictionFilterParsers>;

export const emptyFilter: PredictionFilter = {
  status: null,
  model: null,
  api_type: null,
  region: null,
  member: null,
  period: null,
  from: null,
  to: null,
  after: null,
  before: null,
};

/** Rows per page of the list. */
export const pageSize = 50;

/** The filter as the gateway takes it. A period counts back from `nowMs`. */
export function gatewayQuery(
  filter: PredictionFilter,
  nowMs: number,
): Record<string, string | number | null> {
  const { status, model, api_type, region, member, period, from, to, after, before } = filter;
  const custom = period === "custom";
  const sinceMs = period && !custom ? nowMs - periodHours[period] * 3_600_000 : null;
  return {
    status,
    model,
    api_type,
    svc_region: region,
    user_id: member,
    created_after:
      sinceMs !== null ? new Date(sinceMs).toISOString() : custom ? (from?.toISOString() ?? null) : null,
    created_before: custom ? (to?.toISOString() ?? null) : null,
    after,
    before,
    limit: pageSize,
    view: "summary",
  };
}

/** How many filters are set; the place in the list is not one. */
export function activeFilters(filter: PredictionFilter): number {
  const { status, model, api_type, region, member, period } = filter;
  return [status, model, api_type, region, member, period].filter(Boolean).length;
}

/** `?status=failed&…` without the place in the list; the empty string when nothing is set. */
export function filterSearch(filter: PredictionFilter): string {
  return createSerializer(predictionFilterParsers)({ ...filter, after: null, before: null });
}
