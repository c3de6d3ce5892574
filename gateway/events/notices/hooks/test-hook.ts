import { newId } from "#contract/ids.ts";
import type { TestResult } from "#contract/notices.ts";
import type { BaseContext } from "#gateway/context.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { eq } from "#gateway/platform/database/drizzle.ts";
import { noticeHooks } from "#gateway/platform/database/schema.ts";
import type { MessageItem } from "#gateway/platform/database/tables/notices.ts";
import { tooManyRequests } from "#gateway/platform/http/limits.ts";
import type { Limit } from "#gateway/platform/limits/limiter.ts";
import { pageUrls } from "../page-url.ts";
import { findHook, type HookOwner, hookSealer, ownerOf } from "./hooks.ts";
import { HookError, openHookPoster } from "./post.ts";
import { hookBody } from "./templates.ts";

const tests: Limit = { name: "notice tests", count: 10, periodMs: 60_000 };

/** Posts an example to a hook at once. Throws `notice_hook_not_found` and `rate_limit_exceeded`. */
export async function testHook(context: BaseContext, owner: HookOwner, hookId: string): Promise<TestResult> {
  const { database, config, limiter } = context;
  const hook = await findHook(context, owner, hookId);
  const taken = await limiter.take(owner ?? "operators", tests);
  if (!taken.allowed) throw tooManyRequests("Too many tests. Wait a minute and try again.", taken);
  const id = newId("noticeMessage");
  const example = { noticeId: null, subjectId: null, groupKey: "", count: 1, ...exampleFor(owner) };
  const body = hookBody(
    hook.template,
    {
      id,
      ...(await ownerOf(context, hook)),
      createdAt: clock.date(),
      items: [example],
      more: 0,
      causes: [example.cause],
    },
    pageUrls(config),
  );
  const poster = openHookPoster(config);
  const error = await poster
    .post(hookSealer(config).open(hook, hook.id), id, body)
    .then(() => null)
    .catch((caught: unknown) => {
      if (caught instanceof HookError) return caught.message;
      throw caught;
    })
    .finally(() => poster.close());
  await database.queries
    .update(noticeHooks)
    .set(
      error === null
        ? { lastSentAt: clock.date(), lastError: null, lastErrorAt: null }
        : { lastError: error, lastErrorAt: clock.date() },
    )
    .where(eq(noticeHooks.id, hook.id));
  return { object: "notice_test", sent: error === null, error };
}

function exampleFor(owner: HookOwner): Pick<MessageItem, "cause" | "data"> {
  return owner === null
    ? {
        cause: "provider.unhealthy",
        data: {
          model: "This is a test: no model",
          provider: "no provider",
          region: "no region",
          message: "–",
        },
      }
    : { cause: "member.joined", data: { name: "This is a test: nobody", role: "member" } };
}
