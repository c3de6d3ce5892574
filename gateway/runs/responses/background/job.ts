import { instanceId } from "#gateway/platform/core/instance.ts";
import { and, eq } from "#gateway/platform/database/drizzle.ts";
import { responseJobs } from "#gateway/platform/database/schema.ts";

/** A background response that has not ended. */
export type Job = typeof responseJobs.$inferSelect;

/** This process's lease of a job. */
export function isLeased({ id }: Pick<Job, "id">) {
  return and(eq(responseJobs.id, id), eq(responseJobs.leaseOwner, instanceId));
}
