import { jobKinds, openJobs } from "../jobs.ts";
import type { Protocol } from "../protocol.ts";
import { falFacts } from "./facts.ts";
import { readFalFault } from "./fault.ts";
import { cancelRequest, queueStatus, submit } from "./queue.ts";

/** fal's queue: a request is submitted, then polled and fetched at the URLs that fal returns. */
export const fal: Protocol = {
  name: "fal",
  kinds: jobKinds,
  hosts: { any: "https://queue.fal.run" },
  scheme: "Key",
  facts: falFacts,
  readFault: readFalFault,
  open: openJobs("fal", { start: submit, status: queueStatus, cancel: cancelRequest }),
};
