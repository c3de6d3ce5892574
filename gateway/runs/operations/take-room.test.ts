import { expect, it } from "vitest";
import type { Actor } from "#gateway/platform/core/actor.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { startTestGateway } from "#gateway/testing/gateway.ts";
import { NoRoomError, takeRoom } from "./unattended-run.ts";

const gateway = shared(() => startTestGateway({ role: "api", accountRequestsPerMinute: 3 }));

it("counts rows in the rate of the account, whose keys share it", async () => {
  const row = (id: string, accountId: string) => {
    const actor = { id, accountId, maxConcurrency: null, requestsPerMinute: null } as Actor;
    return takeRoom(gateway.context, actor).then((release) => release());
  };
  for (const key of ["key_a", "key_b", "key_a"]) await row(key, "acc_a");
  await expect(row("key_b", "acc_a")).rejects.toThrow(NoRoomError);
  await row("key_c", "acc_b");
});

it("counts rows of rules in the rate of their service key, and leaves a part of it for its requests", async () => {
  const limits = { maxConcurrency: null, monthlyBudget: null };
  const actsAs = { id: "key_service", requestsPerMinute: 4, ...limits };
  const row = (id: string, by: Partial<Actor>) => {
    const actor = { id, accountId: id, requestsPerMinute: null, ...limits, ...by } as Actor;
    return takeRoom(gateway.context, actor).then((release) => release());
  };
  await row("key_service", { requestsPerMinute: 4 });
  for (const rule of ["key_rule_a", "key_rule_b"]) await row(rule, { actsAs });
  await expect(row("key_rule_c", { actsAs })).rejects.toThrow(NoRoomError);
});
