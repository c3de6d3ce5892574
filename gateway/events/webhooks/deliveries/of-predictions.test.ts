import { beforeAll, describe, expect, it, vi } from "vitest";
import { newId } from "#contract/ids.ts";
import type { Prediction } from "#contract/prediction.ts";
import type { SearchAnswer } from "#contract/search.ts";
import type { Delivery } from "#contract/webhook.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { call, startTestGateway } from "#gateway/testing/gateway.ts";

let endpointId: string;
const ids = new Map<string, string>();

const gateway = shared(() => startTestGateway({ role: "api" }));
const account = shared(() => gateway.createAccount());
beforeAll(async () => {
  endpointId = newId("endpoint");
  await query(
    "insert into webhook_endpoints (id, account_id, url, events) values ($1, $2, 'https://example.com/hook', '{}')",
    [endpointId, account.accountId],
  );
  await make("nothing", "acme", []);
  await make("arrived", "acme", ["delivered", "canceled"]);
  await make("on its way", "umbrella", ["delivered", "pending"]);
  await make("paused", "umbrella", ["waiting", "delivered"]);
  await make("retrying", "umbrella", ["waiting", "failed"]);
  await make("lost", "umbrella", ["delivered", "failed", "dead-letter"]);
  await make("retried by hand", "umbrella", ["dead-letter, retried", "delivered"]);
  const stranger = await gateway.createAccount();
  await make("a stranger's", "umbrella", ["dead-letter"], stranger.accountId);
});

const query = (text: string, values: unknown[]) => gateway.context.database.pool.query(text, values);

async function make(
  name: string,
  customer: string,
  deliveries: readonly string[],
  accountId = account.accountId,
): Promise<void> {
  const id = newId("prediction");
  ids.set(name, id);
  await query(
    `insert into predictions (id, account_id, model, api_type, svc_region, status, deadline_at, metadata)
     values ($1, $2, 'svc/vid-t2v', 'video-generation', 'us-oregon', 'succeeded', now(), $3)`,
    [id, accountId, { customer }],
  );
  for (const delivery of deliveries) {
    const [status, retried] = delivery.split(", ");
    await query(
      `insert into webhook_deliveries (id, account_id, event_id, endpoint_id, event_type, prediction_id, url, status, trigger, retried_as)
       values ($1, $2, $3, $4, 'prediction.succeeded', $5, 'https://example.com/hook', $6, 'automatic', $7)`,
      [
        newId("delivery"),
        accountId,
        newId("event"),
        endpointId,
        id,
        status,
        retried ? newId("delivery") : null,
      ],
    );
  }
}

async function list(search: string, bearer = account.session) {
  const { body } = await call(gateway, bearer, "GET", `/predictions?view=summary&${search}`);
  return body as unknown as {
    data: Prediction[];
    has_more: boolean;
    total?: object;
    error?: { code: string };
  };
}
const namesOf = ({ data }: { data: { id: string }[] }) =>
  data.map(({ id }) => [...ids].find(([, each]) => each === id)?.[0]);

describe("the list of predictions", () => {
  it("shows the worst state of their deliveries, without those retried by hand", async () => {
    const { data } = await list("");
    expect(
      Object.fromEntries(data.map((each, index) => [namesOf({ data })[index], each.delivery_status])),
    ).toEqual({
      nothing: null,
      arrived: "delivered",
      "on its way": "pending",
      paused: "waiting",
      retrying: "failed",
      lost: "dead-letter",
      "retried by hand": "delivered",
    });
  });

  it("finds predictions whose events did not arrive, page by page and with other filters", async () => {
    const wanted = ["lost", "retrying", "paused"];
    expect(namesOf(await list("deliveries=undelivered"))).toEqual(wanted);
    expect(namesOf(await list("deliveries=undelivered&metadata=customer%3Dumbrella"))).toEqual(wanted);
    expect(namesOf(await list("deliveries=undelivered&metadata=customer%3Dacme"))).toEqual([]);
    expect(namesOf(await list("deliveries=undelivered&status=succeeded&model=svc/vid-t2v"))).toEqual(wanted);
    expect(namesOf(await list("deliveries=undelivered&status=failed"))).toEqual([]);
    const first = await list("deliveries=undelivered&limit=2&count=true");
    expect(namesOf(first)).toEqual(["lost", "retrying"]);
    expect(first).toMatchObject({ has_more: true, total: { count: 3, more: false } });
    expect(namesOf(await list(`deliveries=undelivered&after=${ids.get("retrying")}`))).toEqual(["paused"]);
    expect(namesOf(await list(`deliveries=undelivered&before=${ids.get("paused")}&limit=1`))).toEqual([
      "retrying",
    ]);
  });

  it("shows nothing of deliveries to a key that may not read them", async () => {
    const { body } = await call(gateway, account.session, "POST", "/keys", {
      name: "programs",
      scopes: ["predictions"],
    });
    const secret = String(body.secret);
    expect((await list("", secret)).data[0]).not.toHaveProperty("delivery_status");
    expect((await list("deliveries=undelivered", secret)).error?.code).toBe("insufficient_scope");
  });
});

describe("a pair of metadata", () => {
  it("finds the deliveries of its predictions, and can be combined with filters by state", async () => {
    const deliveries = async (search: string) => {
      const { body } = await call(gateway, account.session, "GET", `/webhooks/deliveries?${search}`);
      return (body.data as Delivery[]).map(({ status }) => status);
    };
    expect(await deliveries("metadata=customer%3Dacme")).toEqual(["canceled", "delivered"]);
    expect(await deliveries("metadata=customer%3Dumbrella&status=dead-letter&retried=false")).toEqual([
      "dead-letter",
    ]);
    expect(await deliveries("metadata=customer%3Dnobody")).toEqual([]);
  });

  it("limits a retry of all matching deliveries", async () => {
    const { body } = await call(gateway, account.session, "POST", "/webhooks/deliveries/retry", {
      filter: { metadata: "customer=umbrella", status: "dead-letter", retried: false },
      dry_run: true,
    });
    expect(body).toMatchObject({ matched: 1 });
  });

  it("can be searched for, and finds predictions and deliveries", async () => {
    // On a busy machine a search may run out of time.
    const { groups } = await vi.waitFor(async () => {
      const { body } = await call(gateway, account.session, "GET", "/search?q=customer%3Dumbrella&limit=20");
      const answer = body as unknown as SearchAnswer;
      expect(answer.partial).toEqual([]);
      return answer;
    });
    expect(groups.map(({ kind, data }) => [kind, data.length])).toEqual([
      ["prediction", 5],
      ["delivery", 11],
    ]);
  });
});
