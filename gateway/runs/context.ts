import type { EventsContext } from "#gateway/events/context.ts";
import type { ModelsContext } from "#gateway/models/context.ts";
import type { Guards } from "./guards/ask.ts";
import type { PredictionChanges } from "./predictions/changes.ts";
import type { Signer } from "./provenance/signing/signer.ts";

export interface RunsContext extends EventsContext, Pick<ModelsContext, "aliases" | "providers" | "health"> {
  /** Another process may have accepted a run with a newer configuration. */
  configuration: Pick<ModelsContext["configuration"], "refresh">;
  /** Null: outputs are not signed. */
  signer: Signer | null;
  changes: PredictionChanges;
  guards: Guards;
}
