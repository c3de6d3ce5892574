import { type KeepRequest, keepLimits } from "#contract/outputs.ts";
import type { Context } from "#gateway/context.ts";
import { hidden } from "#gateway/files/storage/attachment.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";

/** What a request says of a kept file; undefined: it says nothing. */
export interface Terms {
  labels: string[] | undefined;
  /** Null: without an end. */
  keptUntil: Date | null | undefined;
}

const dayMs = 86_400_000;

/** Throws `keeping_off`, and `invalid_parameter` for labels and retentions that cannot be. */
export function termsOf({ config }: Pick<Context, "config">, request: KeepRequest): Terms {
  if (!config.keepOutputs)
    throw new ApiError(
      "keeping_off",
      "This instance keeps no outputs: its operator has turned the library off. Download the file before it is removed.",
    );
  const { labels, keep_days: days } = request;
  if (days && config.keptDays > 0 && days > config.keptDays)
    throw new ApiError(
      "invalid_parameter",
      `keep_days can be at most ${config.keptDays} here: outputs are kept no longer on this instance.`,
      { param: "keep_days" },
    );
  return {
    labels: labels && labelsOf(labels),
    keptUntil: days === undefined ? undefined : keptUntilOf(days ?? config.keptDays),
  };
}

/** When a file goes that is kept without saying for how long. */
export function defaultKeptUntil({ config }: Pick<Context, "config">): Date | null {
  return keptUntilOf(config.keptDays);
}

function keptUntilOf(days: number): Date | null {
  return days === 0 ? null : new Date(clock.now() + days * dayMs);
}

/** Each once, without marks that cannot be seen. */
function labelsOf(labels: readonly string[]): string[] {
  const clean = labels.map((label) => label.normalize("NFC").replace(hidden, "").trim());
  if (clean.includes(""))
    throw new ApiError("invalid_parameter", "A label needs at least one character.", { param: "labels" });
  return [...new Set(clean)].slice(0, keepLimits.labels);
}
