import {
  type ActivityGroup,
  type ActivityList,
  type ActivityQuery,
  type ActivitySubject,
  type ActivitySum,
  activityRoutes,
  maxActivityGroups,
  maxActivitySteps,
  operatorActivityRoutes,
  otherGroups,
  type Percentiles,
} from "#contract/activity.ts";
import { membersOf } from "#gateway/billing/usage/list-usage.ts";
import type { MonitoringContext } from "#gateway/monitoring/context.ts";
import { type ApiError, invalidParameter } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { isUpstreamFailure } from "#gateway/platform/core/provider-error.ts";
import { minuteDays } from "#gateway/platform/figures/fold.ts";
import {
  addAmount,
  addRow,
  everyAccount,
  type FigureQuery,
  type FigureRow,
  type LabelColumn,
  noAmount,
  readFigures,
  type Step,
  startOf,
  stepMs,
} from "#gateway/platform/figures/read.ts";
import type { FigureKind, FigureSet } from "#gateway/platform/figures/sums.ts";
import { type Measured, percentiles } from "#gateway/platform/figures/times.ts";
import type { App } from "#gateway/platform/http/app.ts";
import { assertPermitted } from "#gateway/platform/http/not-permitted.ts";
import { serve } from "#gateway/platform/http/serve.ts";

/** Figures over time (an extension). */
export function installActivity(app: App, context: MonitoringContext): void {
  serve(app, context, activityRoutes, {
    "GET /activity": async ({ caller: { actor }, query }) => {
      if (query.of === "deliveries")
        await assertPermitted(context.database.queries, actor, "deliveries:read");
      return readActivity(context, actor.accountId, query);
    },
  });
  serve(app, context, operatorActivityRoutes, {
    "GET /operator/activity": (request) => readActivity(context, everyAccount, request.query),
  });
}

const dayMs = 86_400_000;

/** The figures of one account, or of all accounts together. Throws as `planActivity`. */
export async function readActivity(
  context: MonitoringContext,
  accountId: string,
  query: ActivityQuery,
): Promise<ActivityList> {
  const plan = planActivity(query);
  const { group_by: groupBy } = query;
  const rows = await readFigures(context.database, { accountId, ...plan });
  const needsMembers = groupBy === "member" || query.user_id !== undefined;
  const members = needsMembers
    ? await membersOf(context.database.queries, accountId)
    : new Map<string, string>();
  const labelOf = (row: FigureRow, column: string): string =>
    row.labels[plan.by.indexOf(column as (typeof plan.by)[number])] ?? "";
  const isRefusal = (row: FigureRow): boolean =>
    plan.of === "runs" && labelOf(row, "kind") === "answer" && isOwnFault(row);
  const isAsked = (row: FigureRow): boolean =>
    isGiven(query.user_id, () => memberOf(members, labelOf(row, "key_id")) ?? "") &&
    isGiven(query.status_class, () => `${Math.floor(row.status / 100)}xx`) &&
    (query.route === undefined || hasRoute(labelOf(row, "operation"), query.route));
  const asked = rows.filter(isAsked);
  const groupOf = (row: FigureRow): string | null => {
    if (groupBy === undefined) return null;
    if (groupBy === "member") return memberOf(members, labelOf(row, "key_id"));
    return labelOf(row, columnOfGroup[groupBy]) || null;
  };
  const runsOf = new Map<string | null, number>();
  for (const row of asked) runsOf.set(groupOf(row), (runsOf.get(groupOf(row)) ?? 0) + row.runs);
  const ranked = [...runsOf].sort(([, one], [, other]) => other - one).map(([group]) => group);
  const others = new Set(ranked.slice(maxActivityGroups));
  const shownGroupOf = (row: FigureRow): string | null => {
    const group = groupOf(row);
    return others.has(group) ? otherGroups : group;
  };
  // Each row is added once to its group; totals are made from the groups, because adding up the times is most
  // of the work.
  const groups = new Map<string | null, Tally>();
  const total = new Tally();
  const data = [...Map.groupBy(asked, ({ at }) => at)]
    .sort(([one], [other]) => one - other)
    .flatMap(([at, ofStep]) => {
      const tallies = talliesOf(ofStep, shownGroupOf, isRefusal);
      for (const [group, tally] of tallies) {
        if (groupBy !== undefined) tallyOf(groups, group).merge(tally);
        total.merge(tally);
      }
      return sumsOf(tallies).map((sum) => ({ at: new Date(at).toISOString(), ...sum }));
    });
  return {
    object: "list",
    of: plan.of,
    step: plan.step,
    from: new Date(plan.from).toISOString(),
    to: new Date(plan.to).toISOString(),
    data,
    groups: sumsOf(groups),
    total: { group: null, ...total.view() },
    kept_from: keptFrom(daysOf(context, plan.step)),
    rows_kept_from: keptFrom(context.history.requestLogDays),
  };
}

const columnOfGroup = {
  model: "model",
  key: "key_id",
  provider: "provider",
  region: "region",
  status: "status",
  code: "code",
} as const satisfies Record<Exclude<ActivityGroup, "member">, string>;

function talliesOf(
  rows: readonly FigureRow[],
  groupOf: (row: FigureRow) => string | null,
  isRefusal: (row: FigureRow) => boolean,
): Map<string | null, Tally> {
  const tallies = new Map<string | null, Tally>();
  for (const row of rows) {
    const tally = tallyOf(tallies, groupOf(row));
    if (isRefusal(row)) tally.addRefused(row);
    else tally.add(row);
  }
  return tallies;
}

function sumsOf(tallies: ReadonlyMap<string | null, Tally>): ActivitySum[] {
  return [...tallies]
    .sort(([, one], [, other]) => other.asked - one.asked)
    .map(([group, tally]) => ({ group, ...tally.view() }));
}

function tallyOf<Key>(tallies: Map<Key, Tally>, key: Key): Tally {
  let tally = tallies.get(key);
  if (!tally) {
    tally = new Tally();
    tallies.set(key, tally);
  }
  return tally;
}

function isGiven(asked: string | undefined, label: () => string): boolean {
  return asked === undefined || asked === label();
}

/** The member who made the requests, also if their personal key was used; null for a service key. */
function memberOf(members: ReadonlyMap<string, string>, payer: string): string | null {
  return payer.startsWith("usr_") ? payer : (members.get(payer) ?? null);
}

/**
 * Whether the route of an operation such as `POST /v1/chat/completions`, without its method, contains `part`.
 */
function hasRoute(operation: string, part: string): boolean {
  const route = operation.slice(operation.indexOf(" ") + 1);
  return route.toLowerCase().includes(part.toLowerCase());
}

function daysOf({ history }: MonitoringContext, step: Step): number | null {
  return { minute: minuteDays, hour: history.days, day: history.auditDays }[step];
}

function keptFrom(days: number | null): string | null {
  return days === null ? null : new Date(clock.now() - days * dayMs).toISOString();
}

const usualSteps = { minute: 60, hour: 24, day: 30 } as const;

const kindsOf: Record<ActivitySubject, readonly FigureKind[]> = {
  runs: ["answer", "run"],
  requests: ["answer", "request"],
  tries: ["try"],
  deliveries: ["delivery"],
};

const columnsOf: Record<FigureSet, readonly LabelColumn[]> = {
  model: ["model", "operation", "status", "code"],
  key: ["key_id", "provider", "region", "status", "code"],
  payer: ["key_id", "status", "code"],
  try: ["provider", "model", "region", "status", "code"],
  place: ["provider", "region", "status", "code"],
  delivery: ["status", "code"],
  guard: ["provider", "operation", "code"],
};

/** The database column for each label. */
const columnFor = {
  model: "model",
  route: "operation",
  key: "key_id",
  member: "key_id",
  key_id: "key_id",
  user_id: "key_id",
  provider: "provider",
  region: "region",
  status: "status",
  code: "code",
} as const satisfies Record<string, LabelColumn>;
type Label = keyof typeof columnFor;

interface ActivityPlan extends Omit<FigureQuery, "accountId"> {
  of: ActivitySubject;
}

/**
 * Chooses the figures that answer a query. Throws `invalid_parameter` for labels that are not counted
 * together, and for too many steps.
 */
function planActivity(query: ActivityQuery): ActivityPlan {
  const { of = "runs", step = "hour", group_by: groupBy } = query;
  const labels = (Object.keys(columnFor) as Label[]).filter((label) => groupBy === label || label in query);
  const by = [...new Set(labels.map((label) => columnFor[label]))];
  const set = setFor(of, by);
  for (const label of labels)
    if (!columnsOf[set].includes(columnFor[label])) throw notTogether(label, labels, groupBy);
  const to = query.to === undefined ? clock.now() : Date.parse(query.to);
  const from = query.from === undefined ? to - usualSteps[step] * stepMs[step] : Date.parse(query.from);
  if (from > to) throw invalidParameter("from", "`from` must not be later than `to`.");
  const first = startOf(step, from);
  if ((to - first) / stepMs[step] > maxActivitySteps)
    throw invalidParameter(
      "step",
      `The time range has more than ${maxActivitySteps} steps. Choose a longer step or a shorter range.`,
    );
  // A run can be tried at several providers, so figures by provider count its tries.
  const kinds = of === "runs" && (set === "try" || set === "place") ? kindsOf.tries : kindsOf[of];
  const only = Object.fromEntries(
    (["model", "provider", "key_id", "code"] as const).flatMap((column) =>
      query[column] === undefined ? [] : [[column, query[column]]],
    ),
  );
  return { of, set, kinds, step, from: first, to, by: of === "runs" ? [...by, "kind"] : by, only };
}

/** The smallest set that has all columns, or else one that has most of them. */
function setFor(of: ActivitySubject, columns: readonly LabelColumn[]): FigureSet {
  if (of === "deliveries") return "delivery";
  if (of === "tries") return columns.includes("model") ? "try" : "place";
  const isByPlace = columns.includes("provider") || columns.includes("region");
  if (columns.includes("key_id")) return isByPlace ? "key" : "payer";
  if (!isByPlace) return "model";
  return of === "runs" && columns.includes("model") ? "try" : "place";
}

function notTogether(label: Label, labels: readonly Label[], groupBy: string | undefined): ApiError {
  const others = labels.filter((other) => other !== label).map((other) => `\`${other}\``);
  const param = label === groupBy ? "group_by" : label;
  return invalidParameter(
    param,
    others.length > 0
      ? `\`${label}\` and ${others.join(", ")} are not counted together. Send only one of them.`
      : `These figures are not counted by \`${label}\`. Leave it out.`,
  );
}

/** nginx's status for a client that disconnected; this is no error. */
const clientLeft = 499;

/** Adds up figures and formats the sums. */
class Tally {
  private readonly all = noAmount();
  private readonly errors = new Map<string, number>();
  private readonly refused = new Map<string, number>();

  /** The runs, and the requests that were refused one. */
  get asked(): number {
    return this.all.runs + sumOf(this.refused);
  }

  add(row: FigureRow): void {
    addRow(this.all, row);
    if (isError(row)) addCode(this.errors, codeOf(row), row.runs);
  }

  addRefused(row: FigureRow): void {
    addCode(this.refused, codeOf(row), row.runs);
  }

  merge(other: Tally): void {
    addAmount(this.all, other.all);
    for (const [code, count] of other.errors) addCode(this.errors, code, count);
    for (const [code, count] of other.refused) addCode(this.refused, code, count);
  }

  view(): Omit<ActivitySum, "group"> {
    const { runs, bytesIn, bytesOut, tokensIn, tokensOut, tokensCached, generatingMs } = this.all;
    return {
      runs,
      refused: sumOf(this.refused),
      refused_by_code: byCount(this.refused),
      errors: sumOf(this.errors),
      errors_by_code: byCount(this.errors),
      bytes_in: bytesIn,
      bytes_out: bytesOut,
      tokens_in: tokensIn,
      tokens_out: tokensOut,
      tokens_cached: tokensCached,
      tokens_per_second: generatingMs > 0 ? rounded((tokensOut / generatingMs) * 1000) : null,
      latency_ms: this.percentiles("answer"),
      first_token_ms: this.percentiles("first"),
      queue_ms: this.percentiles("queue"),
    };
  }

  private percentiles(of: Measured): Percentiles {
    const [p50 = null, p95 = null, p99 = null] = percentiles(this.all.times, of, [0.5, 0.95, 0.99]);
    return { p50: p50 && rounded(p50), p95: p95 && rounded(p95), p99: p99 && rounded(p99) };
  }
}

/** An attempt without an answer has no status. */
function isError({ status, code }: FigureRow): boolean {
  return code !== "" || (status >= 400 && status !== clientLeft);
}

/** An error that the request itself caused, and neither the gateway nor an upstream. */
function isOwnFault(row: FigureRow): boolean {
  return row.status >= 400 && row.status < clientLeft && !isUpstreamFailure(row.code);
}

function addCode(codes: Map<string, number>, code: string, count: number): void {
  codes.set(code, (codes.get(code) ?? 0) + count);
}

function sumOf(codes: ReadonlyMap<string, number>): number {
  return [...codes.values()].reduce((sum, count) => sum + count, 0);
}

function byCount(codes: ReadonlyMap<string, number>): { code: string; count: number }[] {
  return [...codes].map(([code, count]) => ({ code, count })).sort((one, other) => other.count - one.count);
}

function codeOf({ status, code }: FigureRow): string {
  return code === "" ? String(status) : code;
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}
