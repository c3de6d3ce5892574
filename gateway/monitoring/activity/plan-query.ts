import { type ActivityQuery, type ActivitySubject, maxActivitySteps } from "#contract/activity.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { type LabelColumn, type Step, startOf, stepMs } from "#gateway/platform/figures/read.ts";
import type { FigureKind, FigureSet } from "#gateway/platform/figures/sums.ts";

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
};

/** The column that a group or a filter reads. */
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

export interface ActivityPlan {
  of: ActivitySubject;
  set: FigureSet;
  kinds: readonly FigureKind[];
  step: Step;
  from: number;
  to: number;
  /** The columns that groups and filters need. */
  by: readonly LabelColumn[];
  /** The labels that a filter names exactly. */
  only: Partial<Record<LabelColumn, string>>;
}

/** Which figures answer a query. Throws `invalid_parameter` for labels that are not counted together, and for too many steps. */
export function planActivity(query: ActivityQuery): ActivityPlan {
  const { of = "runs", step = "hour", group_by: groupBy } = query;
  const labels = (Object.keys(columnFor) as Label[]).filter((label) => groupBy === label || label in query);
  const by = [...new Set(labels.map((label) => columnFor[label]))];
  const set = setFor(of, by);
  for (const label of labels)
    if (!columnsOf[set].includes(columnFor[label])) throw notTogether(label, labels, groupBy);
  const to = query.to === undefined ? clock.now() : Date.parse(query.to);
  const from = query.from === undefined ? to - usualSteps[step] * stepMs[step] : Date.parse(query.from);
  if (from > to) throw invalid("from", "`from` is later than `to`.");
  const first = startOf(step, from);
  if ((to - first) / stepMs[step] > maxActivitySteps)
    throw invalid(
      "step",
      `This is more than ${maxActivitySteps} steps. Ask for a longer step or a shorter time.`,
    );
  // Of one run several providers may have been tried.
  const kinds = of === "runs" && (set === "try" || set === "place") ? kindsOf.tries : kindsOf[of];
  const only = Object.fromEntries(
    (["model", "provider", "key_id", "code"] as const).flatMap((column) =>
      query[column] === undefined ? [] : [[column, query[column]]],
    ),
  );
  return { of, set, kinds, step, from: first, to, by, only };
}

/** The shortest set that has all the columns; where none has, one that has most of them. */
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
  return invalid(
    param,
    others.length > 0
      ? `\`${label}\` and ${others.join(", ")} are not counted together: ask for one of them.`
      : `What is asked for is not counted by \`${label}\`.`,
  );
}

function invalid(param: string, message: string): ApiError {
  return new ApiError("invalid_parameter", message, { param });
}
