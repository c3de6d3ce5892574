import type { DestinationTest, DestinationTry } from "#contract/copies.ts";
import { type Caller, recordAudit } from "#gateway/access/accounts/audit.ts";
import type { Context } from "#gateway/context.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { eq } from "#gateway/platform/database/drizzle.ts";
import { destinations } from "#gateway/platform/database/schema.ts";
import { tooManyRequests } from "#gateway/platform/http/limits.ts";
import type { Limit } from "#gateway/platform/limits/limiter.ts";
import { tryBucket } from "../s3/try-bucket.ts";
import { openSecret } from "../seal.ts";
import { checkedAddress } from "./check-address.ts";
import { withoutSlash } from "./create.ts";
import { findDestination } from "./find.ts";

/** Per account: each test is a few requests to a server that may not belong to it. */
const tests: Limit = { name: "destination tests", count: 20, periodMs: 60_000 };

/** Tries settings that are not saved yet. Throws `invalid_destination`, `rate_limit_exceeded`. */
export async function trySettings(
  context: Context,
  { actor }: Caller,
  input: DestinationTry,
): Promise<DestinationTest> {
  const endpointUrl = checkedAddress(context.config, input.endpoint_url);
  await takeTest(context, actor.accountId);
  return tryBucket(context.config, {
    endpointUrl,
    region: input.region,
    bucket: input.bucket,
    prefix: withoutSlash(input.prefix ?? ""),
    pathStyle: input.path_style ?? true,
    accessKeyId: input.access_key_id,
    secretAccessKey: input.secret_access_key,
  });
}

/** Tries a destination; its last error is then that of the test. Throws `destination_not_found`, `rate_limit_exceeded`. */
export async function testDestination(
  context: Context,
  { actor, ip, requestId }: Caller,
  id: string,
): Promise<DestinationTest> {
  const { config, database } = context;
  const { accountId } = actor;
  const row = await findDestination(database.queries, accountId, id);
  await takeTest(context, accountId);
  const test = await tryBucket(config, { ...row, secretAccessKey: openSecret(config, row) });
  await database.transaction(async (queries) => {
    await queries
      .update(destinations)
      .set({ lastError: test.error, lastErrorAt: test.error && clock.date() })
      .where(eq(destinations.id, id));
    await recordAudit(queries, {
      accountId,
      actor,
      action: "destination.tested",
      targetId: id,
      detail: { ok: test.ok, ...(test.error && { error: test.error.code }) },
      ip,
      requestId,
    });
  });
  return test;
}

async function takeTest({ limiter }: Context, accountId: string): Promise<void> {
  const taken = await limiter.take(accountId, tests);
  if (!taken.allowed)
    throw tooManyRequests(`More than ${tests.count} destinations a minute were tested.`, taken);
}
