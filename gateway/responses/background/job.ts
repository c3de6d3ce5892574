import { instanceId } from "#gateway/core/instance.ts";
import { and, eq } from "#gateway/database/drizzle.ts";
import { responseJobs } from "#gateway/database/schema.ts";

/** A response in the background that has not ended. */
export type Job = typeof responseJobs.$inferSelect;

/** This process's lease of a job. */
export function isLeased({ id }: Pick<Job, "id">) {
  return and(eq(responseJobs.id, id), eq(responseJobs.leaseOwner, instanceId));
}
