import type { ApiType } from "#contract/catalog-constants.ts";
import { type RouteReason, usualRouteReasons } from "#contract/operator/constants.ts";
import type { FieldRules, OperatorRoute, RouteEntry } from "#contract/operator/routes.ts";

/** A route in the form of a request, without the fields that the gateway adds. */
export function entryOf(route: OperatorRoute): RouteEntry {
  const { models, api_types, regions, provider, upstream_model, priority, weight, path, fields } = route;
  const { go_on_when, thinks_silently, wait_for_retry_after_ms } = route;
  const { malformed_events, unfinished_answers } = route;
  const kinds = [...route.serves, ...route.overruled].map(({ api_type }) => api_type);
  return {
    models,
    provider,
    upstream_model,
    priority,
    ...(weight !== null && { weight }),
    ...(api_types && { api_types }),
    ...(regions && { regions }),
    ...(path && { path }),
    ...(fields && { fields }),
    ...(!isDefault(go_on_when, kinds) && { go_on_when }),
    ...(thinks_silently !== null && { thinks_silently }),
    ...(wait_for_retry_after_ms > 0 && { wait_for_retry_after_ms }),
    ...(malformed_events === "skip" && { malformed_events }),
    ...(unfinished_answers === "accept" && { unfinished_answers }),
    ...(route.continue_streams && { continue_streams: true }),
    ...(route.accepts_prefill && { accepts_prefill: true }),
    ...(route.affinity === "off" && { affinity: "off" }),
    ...(route.cache_breakpoint && { cache_breakpoint: true }),
  };
}

/** Whether these are the default reasons of a route for these kinds. */
export function isDefault(reasons: readonly RouteReason[], kinds: readonly ApiType[]): boolean {
  const defaults = usualRouteReasons(kinds);
  return reasons.length === defaults.length && defaults.every((reason) => reasons.includes(reason));
}

/** Where one operation runs, in the order of the attempts. */
export interface MappedOperation {
  model: string;
  apiType: ApiType;
  chain: {
    routeId: string;
    provider: string;
    upstreamModel: string;
    weight: number | null;
    regions: string[];
  }[];
}

/** The routes of each operation, in the order of the attempts. */
export function operationsOf(
  models: readonly { id: string; api_types: readonly ApiType[] }[],
  routes: readonly OperatorRoute[],
): MappedOperation[] {
  const inOrder = routes.toSorted((first, second) => first.priority - second.priority);
  return models.flatMap(({ id, api_types }) =>
    api_types.map((apiType) => ({
      model: id,
      apiType,
      chain: inOrder.flatMap((route) => {
        const regions = route.serves
          .filter((target) => target.model === id && target.api_type === apiType)
          .map((target) => target.region);
        if (regions.length === 0) return [];
        const { id: routeId, provider, upstream_model: upstreamModel, weight } = route;
        return [{ routeId, provider, upstreamModel, weight, regions }];
      }),
    })),
  );
}

export const ruleKinds = ["rename", "omit", "defaults", "set"] as const;
export type RuleKind = (typeof ruleKinds)[number];

/** One line of the field-rule editor. */
export interface Rule {
  kind: RuleKind;
  field: string;
  /** The upstream's field name, or a value as JSON. Not used when the rule drops the field. */
  value: string;
}

/** Converts a route's field rules to lines of the editor. */
export function rulesOf({ rename = {}, omit = [], defaults = {}, set = {} }: FieldRules): Rule[] {
  const valued = (kind: RuleKind, values: Record<string, unknown>) =>
    Object.entries(values).map(([field, value]) => ({ kind, field, value: textOf(value) }));
  return [
    ...valued("rename", rename),
    ...omit.map((field) => ({ kind: "omit" as const, field, value: "" })),
    ...valued("defaults", defaults),
    ...valued("set", set),
  ];
}

/** Converts lines to field rules, ignoring lines without a field. Null: no rules. */
export function fieldsOf(rules: readonly Rule[]): FieldRules | null {
  const named = rules.map((rule) => ({ ...rule, field: rule.field.trim() })).filter(({ field }) => field);
  const of = (kind: RuleKind, read: (text: string) => unknown) =>
    Object.fromEntries(
      named.filter((rule) => rule.kind === kind).map(({ field, value }) => [field, read(value)]),
    );
  const rename = Object.fromEntries(
    Object.entries(of("rename", (text) => text.trim())).filter(([, name]) => name !== ""),
  ) as Record<string, string>;
  const omit = named.filter(({ kind }) => kind === "omit").map(({ field }) => field);
  const [defaults, set] = [of("defaults", parsed), of("set", parsed)];
  const fields: FieldRules = {
    ...(Object.keys(rename).length > 0 && { rename }),
    ...(omit.length > 0 && { omit }),
    ...(Object.keys(defaults).length > 0 && { defaults }),
    ...(Object.keys(set).length > 0 && { set }),
  };
  return Object.keys(fields).length > 0 ? fields : null;
}

/** Parses JSON. Anything else counts as text, so that nobody has to quote a word. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The shortest text that parses to the same value. */
function textOf(value: unknown): string {
  return typeof value === "string" && parsed(value) === value ? value : JSON.stringify(value);
}
