import { parsed, recordOf, recordsOf, textOf } from "../http/read-body.ts";
import type { Fault } from "../http/refusal.ts";
import { jobKinds, openJobs } from "../jobs.ts";
import type { Protocol } from "../protocol.ts";
import { replicateFacts } from "./facts.ts";
import { cancelPrediction, createPrediction, predictionStatus } from "./predictions.ts";

/**
 * Replicate and compatible servers: all work is done as predictions, whose inputs are the model's own fields.
 */
export const replicate: Protocol = {
  name: "replicate",
  kinds: jobKinds,
  hosts: { any: "https://api.replicate.com/v1" },
  scheme: "Bearer",
  facts: replicateFacts,
  readFault: readReplicateFault,
  open: openJobs("replicate", {
    start: createPrediction,
    status: predictionStatus,
    cancel: cancelPrediction,
  }),
};

/** Replicate: `{title, detail, status, invalid_fields?}`. */
function readReplicateFault(text: string): Fault {
  const body = recordOf(parsed(text));
  const [field] = recordsOf(body.invalid_fields);
  const param = textOf(field?.field)?.replace(/^input\.?/, "") || null;
  return {
    code: textOf(body.title),
    message: textOf(body.detail) ?? textOf(body.error) ?? textOf(body.title),
    param,
  };
}
