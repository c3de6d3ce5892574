import type { ResendCreate } from "#contract/resends.ts";
import type { Endpoint, EndpointCreate, EndpointUpdate } from "#contract/webhook.ts";
import {
  defaultEventTypes,
  type EventType,
  endpointRate,
  eventTypes,
  type ResendInclude,
  subscribableEventTypes,
} from "#contract/webhook-constants.ts";
import type { Words } from "../../messages/words.ts";

/** The values of the endpoint form. */
export interface EndpointValues {
  url: string;
  description: string;
  events: (typeof subscribableEventTypes)[number][];
  /** `isKept`: the value is stored and never shown. It stays unless the user types a new one. */
  headers: { name: string; value: string; isKept: boolean }[];
  rate_per_second: string;
  ed25519: boolean;
  /** Ids. Empty: all. */
  models: string[];
  keys: string[];
}

export const emptyEndpoint: EndpointValues = {
  url: "",
  description: "",
  events: [...defaultEventTypes],
  headers: [],
  rate_per_second: "",
  ed25519: false,
  models: [],
  keys: [],
};

export function valuesOfEndpoint(endpoint: Endpoint): EndpointValues {
  return {
    url: endpoint.url,
    description: endpoint.description ?? "",
    events: subscribableEventTypes.filter((event) => endpoint.events.includes(event)),
    headers: (endpoint.headers ?? []).map(({ name }) => ({ name, value: "", isKept: true })),
    rate_per_second: endpoint.rate_per_second ? String(endpoint.rate_per_second) : "",
    ed25519: (endpoint.public_keys ?? []).length > 0,
    models: endpoint.models ?? [],
    keys: endpoint.keys ?? [],
  };
}

/**
 * The change that applies the form. For a gateway without extensions, only fields that are not empty are
 * sent.
 */
export function changeOf(values: EndpointValues): EndpointUpdate {
  return {
    url: values.url.trim(),
    events: values.events,
    description: values.description.trim() || null,
    headers: headersOf(values),
    rate_per_second: rateOf(values),
    ed25519: values.ed25519,
    models: idsOf(values.models),
    keys: idsOf(values.keys),
  };
}

export function creationOf(values: EndpointValues): EndpointCreate {
  const description = values.description.trim();
  const headers = headersOf(values);
  const rate = rateOf(values);
  const models = idsOf(values.models);
  const keys = idsOf(values.keys);
  return {
    url: values.url.trim(),
    events: values.events,
    ...(description && { description }),
    ...(headers.length > 0 && { headers }),
    ...(rate && { rate_per_second: rate }),
    ...(values.ed25519 && { ed25519: true }),
    ...(models && { models }),
    ...(keys && { keys }),
  };
}

/** Why a text is not a rate. Null if it is one, or empty. */
export function rateProblem(t: Words<"webhooks">, text: string): string | null {
  const trimmed = text.trim();
  const rate = Number(trimmed);
  const { minimum, maximum } = endpointRate;
  if (trimmed === "" || (/^\d+$/.test(trimmed) && rate >= minimum && rate <= maximum)) return null;
  return t("rateProblem", { minimum, maximum });
}

function headersOf({ headers }: EndpointValues): { name: string; value?: string }[] {
  return headers
    .filter(({ name, value }) => name.trim() !== "" || value !== "")
    .map(({ name, value, isKept }) => ({
      name: name.trim(),
      ...(value === "" && isKept ? {} : { value }),
    }));
}

function rateOf({ rate_per_second: text }: EndpointValues): number | null {
  return text.trim() === "" ? null : Number(text.trim());
}

function idsOf(ids: string[]): string[] | null {
  return ids.length > 0 ? ids : null;
}

/** The values of the dialog for sending events again. */
export interface ResendValues {
  period: string;
  /** In the browser's time zone, for the period "from". */
  from: string;
  type: string;
  include: ResendInclude;
  rate: string;
}

const hourMs = 3_600_000;

/** Each with the name of its message. */
export const periods = [
  { value: "1h", label: "lastHour", ms: hourMs },
  { value: "24h", label: "last24Hours", ms: 24 * hourMs },
  { value: "7d", label: "last7Days", ms: 7 * 24 * hourMs },
  { value: "from", label: "fromATime", ms: null },
] as const;

/** The request to the gateway. Null while no time is chosen. */
export function resendRequest(
  { period, from, type, include, rate }: ResendValues,
  nowMs: number,
): ResendCreate | null {
  const ms = periods.find(({ value }) => value === period)?.ms ?? null;
  const sinceMs = ms === null ? Date.parse(from) : nowMs - ms;
  if (Number.isNaN(sinceMs)) return null;
  return {
    since: new Date(sinceMs).toISOString(),
    include,
    ...(isEventType(type) && { types: [type] }),
    ...(/^\d+$/.test(rate.trim()) && { rate_per_second: Number(rate) }),
  };
}

function isEventType(type: string): type is EventType {
  return eventTypes.some((known) => known === type);
}
