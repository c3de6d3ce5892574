import type { Protocol } from "../protocol.ts";
import { jobKinds, openJobs } from "../upstreams/job-provider.ts";
import { replicateFacts } from "./facts.ts";
import { readReplicateFault } from "./fault.ts";
import { cancelPrediction, createPrediction, predictionStatus } from "./predictions.ts";

/** Replicate and compatible servers: everything is a prediction, its inputs are the model's own fields. */
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
