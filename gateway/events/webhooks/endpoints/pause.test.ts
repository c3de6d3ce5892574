import { expect, test } from "vitest";
import { shared } from "#gateway/testing/fixture.ts";
import { startScene } from "../testing/scene.ts";

const scene = shared(startScene);

test("events wait while an endpoint is paused, and a pause does not reset the failure count", async () => {
  const endpoint = await scene.createEndpoint(`${scene.receiver.url}/paused`);
  const path = `/webhooks/endpoints/${endpoint.id}`;
  await scene.context.database.pool.query(
    "update webhook_endpoints set consecutive_failures = 3, failing_since = now() where id = $1",
    [endpoint.id],
  );
  expect((await scene.call("PATCH", path, { status: "paused" })).body).toMatchObject({
    status: "paused",
    disabled_reason: null,
    health: { consecutive_failures: 3 },
  });
  const { deliveryIds } = await scene.emit();
  const held = await scene.delivery(deliveryIds[0] ?? "");
  expect(held).toMatchObject({ status: "waiting", waits_for: "endpoint", next_attempt_at: null });
  expect((await scene.call("GET", path)).body).toMatchObject({ waiting_deliveries: 1 });
  expect((await scene.call("POST", `${path}/test`)).body.error).toMatchObject({ code: "endpoint_disabled" });
  const resumed = await scene.call("PATCH", path, { status: "enabled" });
  expect(resumed.body).toMatchObject({ status: "enabled", resumed: { action: "send", deliveries: 1 } });
  await scene.receiver.next(({ path: at }) => at === "/paused");
  // The delivery that waited arrives, which is the first success.
  await expect
    .poll(async () => (await scene.call("GET", path)).body)
    .toMatchObject({ health: { consecutive_failures: 0 }, waiting_deliveries: 0 });
  const { rows } = await scene.context.database.pool.query(
    "select count(*)::int as n from webhook_events where type like 'endpoint.%'",
  );
  expect(rows[0].n).toBe(0);
});

test("enabling a disabled endpoint resets the failure count, pausing in between does not", async () => {
  const endpoint = await scene.createEndpoint(`${scene.receiver.url}/other`);
  const path = `/webhooks/endpoints/${endpoint.id}`;
  const failures = async () => {
    const { health } = (await scene.call("GET", path)).body as { health: { consecutive_failures: number } };
    return health.consecutive_failures;
  };
  const setFailures = () =>
    scene.context.database.pool.query("update webhook_endpoints set consecutive_failures = 3 where id = $1", [
      endpoint.id,
    ]);
  await setFailures();
  await scene.call("PATCH", path, { status: "paused" });
  await scene.call("PATCH", path, { status: "enabled" });
  expect(await failures()).toBe(3);
  await scene.call("PATCH", path, { status: "disabled" });
  await scene.call("PATCH", path, { status: "paused" });
  expect(await failures()).toBe(0);
});
