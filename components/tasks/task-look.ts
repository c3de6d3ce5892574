import { Ban, CircleAlert, CircleCheck, CircleOff, TriangleAlert } from "lucide-react";
import type { Task } from "#contract/money/budgets.ts";
import { decimalOf } from "#contract/money/decimal.ts";
import { formatMoney } from "@/lib/money";
import type { StatusLook } from "@/lib/status/status-look";
import { listText } from "@/lib/words/list-text";
import type { Words } from "@/messages/words";

/** Above this share of a limit a task is near its cap. */
const nearShare = 0.8;

interface TaskLook extends StatusLook {
  /** True if runs of the task are rejected. The meaning is then always visible, not only on hover. */
  stops: boolean;
  canRaise: boolean;
  canEnd: boolean;
}

const looks = {
  open: { label: "open", tone: "good", icon: CircleCheck, meaning: "openMeans" },
  near: {
    label: "near",
    tone: "warn",
    icon: TriangleAlert,
    meaning: "nearMeans",
  },
  spent: {
    label: "spent",
    tone: "bad",
    icon: CircleAlert,
    meaning: "stoppedMeans",
  },
  ended: {
    label: "ended",
    tone: "gone",
    icon: Ban,
    meaning: "stoppedMeans",
  },
  free: {
    label: "free",
    tone: "waiting",
    icon: CircleOff,
    meaning: "freeMeans",
  },
} as const;

/** The current state of a task. */
export function taskLook(t: Words<"usage">, task: Task): TaskLook {
  const state = stateOf(task);
  const { label, meaning, ...look } = looks[state];
  return {
    ...look,
    label: t(label),
    meaning: t(meaning),
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
export function limitsText(
  t: Words<"ui">,
  { amount, currency, max_runs: runs }: Pick<Task, "amount" | "currency" | "max_runs">,
): string {
  return listText(t.language, [
    ...(amount === null ? [] : [formatMoney(amount, currency)]),
    ...(runs === null ? [] : [t("countOfRuns", { runs })]),
  ]);
}

/** The toast after a task was raised. */
export function raisedText(t: Words<"ui">, task: Task): string {
  return t("taskMayContinue", { value: task.value, limits: limitsText(t, task) });
}
