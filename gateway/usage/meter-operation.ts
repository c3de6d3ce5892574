import type { Context } from "#gateway/context.ts";
import type { Actor } from "#gateway/core/actor.ts";
import type { Usage } from "#gateway/core/usage.ts";
import { type RunDetail, usageLines } from "./lines.ts";

/** The run of a `ProviderRequest`, for metering. */
interface Run {
  id: string;
  model: { id: string };
  region: string;
  input: Record<string, unknown>;
}

/** Meters the run of a request and ends its reservation. */
export function meterOperation(
  { budgets }: Context,
  actor: Actor,
  { id, model, region, input }: Run,
  provider: string,
  usage: Usage,
  detail: Omit<RunDetail, "input"> = {},
): void {
  budgets.settle({
    runId: id,
    accountId: actor.accountId,
    keyId: actor.kind === "key" ? actor.id : null,
    userId: actor.kind === "user" ? actor.id : null,
    model: model.id,
    provider,
    region,
    lines: usageLines(usage, { input, ...detail }),
  });
}
