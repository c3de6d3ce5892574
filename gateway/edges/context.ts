import type { OperatorProviderList } from "#contract/operator/providers.ts";
import type { EventsContext } from "#gateway/events/context.ts";
import type { ModelsContext } from "#gateway/models/context.ts";
import type { RunsContext } from "#gateway/runs/context.ts";

export interface EdgesContext
  extends EventsContext,
    Pick<ModelsContext, "aliases">,
    Pick<RunsContext, "changes"> {
  /** What operators see of their providers. */
  listProviders(): Promise<OperatorProviderList>;
}
