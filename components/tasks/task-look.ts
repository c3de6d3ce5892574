import { Ban, CircleAlert, CircleCheck, CircleOff, TriangleAlert } from "lucide-react";
import type { Task } from "#contract/money/budgets.ts";
import { decimalOf } from "#contract/money/decimal.ts";
import { formatCount } from "@/lib/format";
import { formatMoney } from "@/lib/money";
import type { StatusLook } from "@/lib/status/status-look";

/** Above this share of a limit a task is near its cap. */
const nearShare = 0.8;

interface TaskLook extends StatusLook {
  /** True if runs of the task are rejected. The meaning is then always visible, not only on hover. */
  stops: boolean;
  canRaise: boolean;
  canEnd: boolean;
}

const looks = {
  open: { label: "Open", tone: "good", icon: CircleCheck, meaning: "Its runs are accepted" },
  near: {
    label: "Near its cap",
    tone: "warn",
    icon: TriangleAlert,
    meaning: "A run that could exceed the cap is rejected",
  },
  spent: {
    label: "At its cap",
    tone: "bad",
    icon: CircleAlert,
    meaning: "Runs are rejected until the cap is raised",
  },
  ended: {
    label: "Ended",
    tone: "gone",
    icon: Ban,
    meaning: "Runs are rejected until the cap is raised",
  },
  free: {
    label: "No cap",
    tone: "waiting",
    icon: CircleOff,
    meaning: "The cap was removed, so the number and cost of runs are not limited",
  },
} as const satisfies Record<string, StatusLook>;

/** The current state of a task. */
export function taskLook(task: Task): TaskLook {
  const state = stateOf(task);
  return {
    ...looks[state],
    stops: state === "spent" || state === "ended",
    canRaise: state !== "free",
    canEnd: state !== "free" && state !== "ended",
  };
}

function stateOf({ amount, max_runs, spent, reserved, runs, ended_at }: Task): keyof typeof looks {
  if (amount === null && max_runs === null) return "free";
  if (ended_at !== null) return "ended";
  const used = decimalOf(spent) + decimalOf(reserved);
  if ((amount !== null && used >= decimalOf(amount)) || (max_runs !== null && runs >= max_runs))
    return "spent";
  // Converted to numbers only for the warning, because amounts are exact decimal texts.
  const share = Math.max(
    amount === null ? 0 : (Number(spent) + Number(reserved)) / Number(amount),
    max_runs === null ? 0 : runs / max_runs,
  );
  return share >= nearShare ? "near" : "open";
}

/** `2.00 USD and 500 runs`. */
export function limitsText({
  amount,
  currency,
  max_runs,
}: Pick<Task, "amount" | "currency" | "max_runs">): string {
  return [
    ...(amount === null ? [] : [formatMoney(amount, currency)]),
    ...(max_runs === null ? [] : [formatCount(max_runs, "run")]),
  ].join(" and ");
}

/** The toast after a task was raised. */
export function raisedText(task: Task): string {
  return `The task “${task.value}” may continue, up to ${limitsText(task)}.`;
}
