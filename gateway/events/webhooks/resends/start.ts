import { newId, timeOfId } from "#contract/ids.ts";
import type { Resend, ResendCreate } from "#contract/resends.ts";
import { audited } from "#gateway/access/accounts/audit.ts";
import type { Caller } from "#gateway/platform/core/actor.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { webhookResends } from "#gateway/platform/database/schema.ts";
import { lockEndpoint } from "../endpoints/find.ts";
import type { WebhookContext } from "../webhook-context.ts";
import { resendView } from "./resends.ts";
import { beginningAt, countEvents } from "./selection.ts";

/**
 * Counts the events in a time range that can be resent to an endpoint and, unless it is a `dry_run`, starts
 * resending them in the background (`run.ts`). Throws `endpoint_not_found`, `endpoint_disabled`,
 * `invalid_parameter`, `resend_running`.
 */
export async function startResend(
  context: WebhookContext,
  caller: Caller,
  endpointId: string,
  input: ResendCreate,
): Promise<Resend> {
  const { accountId } = caller.actor;
  const now = clock.date();
  const since = new Date(input.since);
  const until = input.until === undefined || new Date(input.until) > now ? now : new Date(input.until);
  if (since >= until)
    throw new ApiError("invalid_parameter", "since must be earlier than until, and in the past.", {
      param: "since",
    });
  const id = newId("resend");
  const values = {
    id,
    accountId,
    endpointId,
    include: input.include ?? "missed",
    types: input.types ?? null,
    since,
    until,
    ratePerSecond: input.rate_per_second ?? null,
    afterId: beginningAt(since),
    createdAt: new Date(timeOfId(id)),
  } as const;
  return audited<Resend>(context, caller, "webhook_resend.started", async (queries) => {
    const endpoint = await lockEndpoint(queries, accountId, endpointId);
    const counted = await countEvents(queries, values);
    if (input.dry_run)
      return {
        unchanged: {
          ...resendView({ ...values, ...counted, ...notBegun }, endpoint.status),
          id: null,
          status: null,
          created_at: null,
        },
      };
    if (endpoint.status !== "enabled")
      throw new ApiError("endpoint_disabled", "Enable the endpoint first: nothing is sent to it now.");
    const [row] = await queries
      .insert(webhookResends)
      // Removed payloads are counted again when the run reaches them.
      .values({ ...values, total: counted.total })
      .onConflictDoNothing()
      .returning();
    if (!row)
      throw new ApiError(
        "resend_running",
        "A resend to this endpoint is already running. Wait until it ends, or stop it.",
      );
    return {
      target: endpointId,
      detail: {
        resend_id: id,
        since: since.toISOString(),
        until: until.toISOString(),
        include: values.include,
        total: counted.total,
        ...(input.types && { types: input.types }),
      },
      result: resendView(row, endpoint.status),
    };
  });
}

const notBegun = { status: "running", sent: 0, steppedAt: new Date(0), finishedAt: null } as const;
