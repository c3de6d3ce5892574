import {
  type ActivityGroup,
  type ActivityList,
  type ActivityQuery,
  type ActivitySum,
  maxActivityGroups,
  otherGroups,
} from "#contract/activity.ts";
import { membersOf } from "#gateway/billing/usage/list-usage.ts";
import type { Context } from "#gateway/context.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { minuteDays } from "#gateway/platform/figures/history.ts";
import { type FigureRow, readFigures, type Step } from "#gateway/platform/figures/read.ts";
import { planActivity } from "./plan-query.ts";
import { Tally } from "./tally.ts";

const dayMs = 86_400_000;

/** The figures of an account, or of all accounts together. Throws as `planActivity`. */
export async function readActivity(
  context: Context,
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
  // Each row is added up once, and the rest from sums: their times are most of the work.
  const groups = new Map<string | null, Tally>();
  const total = new Tally();
  const data = [...Map.groupBy(asked, ({ at }) => at)]
    .sort(([one], [other]) => one - other)
    .flatMap(([at, ofStep]) => {
      const tallies = talliesOf(ofStep, shownGroupOf);
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
): Map<string | null, Tally> {
  const tallies = new Map<string | null, Tally>();
  for (const row of rows) tallyOf(tallies, groupOf(row)).add(row);
  return tallies;
}

function sumsOf(tallies: ReadonlyMap<string | null, Tally>): ActivitySum[] {
  return [...tallies]
    .sort(([, one], [, other]) => other.runs - one.runs)
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

/** Who asked: the member, also with a personal key; null for a service key. */
function memberOf(members: ReadonlyMap<string, string>, payer: string): string | null {
  return payer.startsWith("usr_") ? payer : (members.get(payer) ?? null);
}

/** `POST /v1/chat/completions` has the route after its method. */
function hasRoute(operation: string, part: string): boolean {
  const route = operation.slice(operation.indexOf(" ") + 1);
  return route.toLowerCase().includes(part.toLowerCase());
}

function daysOf({ history }: Context, step: Step): number | null {
  return { minute: minuteDays, hour: history.days, day: history.auditDays }[step];
}

function keptFrom(days: number | null): string | null {
  return days === null ? null : new Date(clock.now() - days * dayMs).toISOString();
}
