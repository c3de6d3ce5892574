import { beforeAll, describe, expect, it } from "vitest";
import type { Role } from "#contract/accounts/constants.ts";
import { viewFields, viewLimits } from "#contract/views.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { call, startTestGateway } from "#gateway/testing/gateway.ts";

const gateway = shared(() => startTestGateway({ role: "api" }));
const account = shared(() => gateway.createAccount());
const people = {} as Record<"member" | "viewer", { session: string; userId: string }>;

beforeAll(async () => {
  for (const role of ["member", "viewer"] as const satisfies Role[])
    people[role] = await gateway.addMember(account, role);
});

const failed = { list: "deliveries", name: "Failed at Acme", filters: { status: "failed", since: "24h" } };
const save = (bearer: string, more: object = {}) =>
  call(gateway, bearer, "POST", "/views", { ...failed, ...more });
const names = async (bearer: string, query = "") => {
  const { body } = await call(gateway, bearer, "GET", `/views${query}`);
  return (body.data as { name: string; shared: boolean }[]).map(({ name, shared }) => [name, shared]);
};

describe("saved views", () => {
  it("are shared in the account, or only their member's", async () => {
    const own = await save(people.member.session);
    expect(own).toMatchObject({ status: 201, body: { ...failed, object: "view", shared: false } });
    await save(people.member.session, { name: "Everybody's", shared: true });
    await save(people.member.session, {
      list: "requests",
      name: "Refused",
      filters: { status_class: "4xx" },
    });
    expect(await names(people.member.session, "?list=deliveries")).toEqual([
      ["Everybody's", true],
      ["Failed at Acme", false],
    ]);
    expect(await names(people.member.session)).toHaveLength(3);
    expect(await names(people.viewer.session)).toEqual([["Everybody's", true]]);
    const stranger = await gateway.createAccount();
    expect(await names(stranger.session)).toEqual([]);
    expect((await call(gateway, account.key, "GET", "/views")).body.error).toMatchObject({
      code: "user_session_required",
    });
  });

  it("have names that are unique per list and owner", async () => {
    expect((await save(people.member.session, { name: " Failed at Acme " })).body.error).toMatchObject({
      code: "view_exists",
      param: "name",
    });
    expect((await save(people.viewer.session)).status).toBe(201);
    expect((await save(people.member.session, { list: "predictions" })).status).toBe(201);
  });

  it("are deleted by their member; shared ones by whoever may share, which viewers may not", async () => {
    expect((await save(people.viewer.session, { name: "Mine", shared: true })).body.error).toMatchObject({
      code: "role_not_allowed",
    });
    const { body: mine } = await save(people.viewer.session, { name: "Mine" });
    const { body: ours } = await save(people.member.session, { name: "Ours", shared: true });
    const remove = (bearer: string, { id }: Record<string, unknown>) =>
      call(gateway, bearer, "DELETE", `/views/${id}`);
    expect((await remove(people.member.session, mine)).body.error).toMatchObject({ code: "view_not_found" });
    expect((await remove(people.viewer.session, ours)).body.error).toMatchObject({
      code: "role_not_allowed",
    });
    expect((await remove(people.viewer.session, mine)).body).toMatchObject({ deleted: true });
    expect((await remove(account.session, ours)).body).toMatchObject({ deleted: true });
    expect((await remove(account.session, ours)).status).toBe(404);
    const { body } = await call(gateway, account.session, "GET", "/audit_logs?action=view.deleted");
    expect(body.data).toMatchObject([
      { target_id: ours.id, detail: { name: "Ours", list: "deliveries", shared: true } },
      { target_id: mine.id, detail: { shared: false } },
    ]);
  });

  it("go with their member when the member leaves the account", async () => {
    const leaver = await gateway.addMember(account, "member");
    await save(leaver.session);
    await call(gateway, account.session, "DELETE", `/account/members/${leaver.userId}`);
    const { rows } = await gateway.context.database.pool.query(
      "select count(*)::int as left from views where user_id = $1",
      [leaver.userId],
    );
    expect(rows).toEqual([{ left: 0 }]);
  });

  it("are bounded: in number, also when many are saved at once, and in what they hold", async () => {
    const busy = await gateway.addMember(account, "member");
    const made = await Promise.all(
      Array.from({ length: viewLimits.perOwner + 5 }, (_, n) => save(busy.session, { name: `View ${n}` })),
    );
    const refused = made.filter(({ status }) => status !== 201);
    expect(refused).toHaveLength(5);
    expect(refused[0]?.body.error).toMatchObject({ code: "too_many_views" });
    for (const more of [
      { name: "  " },
      { name: "x".repeat(viewFields.name.maxLength + 1) },
      { list: "keys" },
      { filters: {} },
      { filters: { Status: "failed" } },
      { filters: { status: "" } },
      { filters: { status: "x".repeat(viewLimits.filterLength + 1) } },
      { filters: Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`f_${"a".repeat(n)}`, "x"])) },
      { color: "red" },
    ])
      expect((await save(people.member.session, { name: "New", ...more })).status, JSON.stringify(more)).toBe(
        400,
      );
  });
});
