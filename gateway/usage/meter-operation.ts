import type { Context } from "#gateway/context.ts";
import type { Actor } from "#gateway/core/actor.ts";
import type { Usage } from "#gateway/core/usage.ts";
import { type RunDetail, usageLines } from "./lines.ts";

/** A run of a request, in the words of `ProviderRequest`. */
interface Run {
  id: string;
  model: { id: string };
  region: string;
  input: Record<string, unknown>;
}

/** Meters what ran in a request, and ends its reservation. */
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
