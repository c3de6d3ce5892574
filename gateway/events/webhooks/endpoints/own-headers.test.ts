import { expect, test } from "vitest";
import { shared } from "#gateway/testing/fixture.ts";
import { isDone, startScene } from "../testing/scene.ts";

const scene = shared(startScene);

const secret = "Bearer top-secret-of-the-receiver";

function create(headers: unknown) {
  return scene.call("POST", "/webhooks/endpoints", { url: `${scene.receiver.url}/hook`, headers });
}

test("custom headers are sent, and their values are never shown again", async () => {
  // A receiver that repeats the request in its answer.
  scene.receiver.answer((received, response) =>
    response
      .writeHead(500, { "x-echo": received.headers.authorization ?? "" })
      .end(`you sent ${received.headers.authorization} and ${received.headers["x-team"]}`),
  );
  const endpoint = await scene.createEndpoint(`${scene.receiver.url}/own`, {
    headers: [
      { name: "Authorization", value: secret },
      { name: "x-team", value: "media" },
    ],
  });
  const audit = await scene.context.database.pool.query("select detail::text from audit_logs");
  await scene.emit();
  const request = await scene.receiver.next(({ path }) => path === "/own");
  expect(request.headers).toMatchObject({ authorization: secret, "x-team": "media" });
  const delivery = await scene.deliveryWhen({ endpoint_id: endpoint.id }, isDone);
  const [attempt] = delivery.attempt_log;
  expect(attempt?.request_headers).toMatchObject({ authorization: "[hidden]", "x-team": "[hidden]" });
  expect(attempt?.response_headers).toMatchObject({ "x-echo": "[hidden]" });
  expect(attempt?.response_body).toBe("you sent [hidden] and media");
  const seen = [
    endpoint,
    (await scene.call("GET", `/webhooks/endpoints/${endpoint.id}`)).body,
    (await scene.call("GET", "/webhooks/endpoints")).body,
    delivery,
    audit.rows,
    scene.api.logLines,
    (await scene.context.database.pool.query("select * from webhook_endpoints")).rows,
    (await scene.context.database.pool.query("select * from webhook_attempts")).rows,
  ];
  expect(JSON.stringify(seen)).not.toContain("top-secret");
  expect(endpoint.headers).toEqual([{ name: "authorization" }, { name: "x-team" }]);
  await scene.call("DELETE", `/webhooks/endpoints/${endpoint.id}`);
});

test("a change must name all headers; a header without a value keeps its value", async () => {
  scene.receiver.answer((_received, response) => response.writeHead(204).end());
  const { id } = await scene.createEndpoint(`${scene.receiver.url}/kept`, {
    headers: [
      { name: "x-first", value: "first-value" },
      { name: "x-second", value: "second-value" },
    ],
  });
  const path = `/webhooks/endpoints/${id}`;
  const headers = [{ name: "X-Second" }, { name: "x-third", value: "third-value" }];
  expect((await scene.call("PATCH", path, { headers })).body.headers).toEqual([
    { name: "x-second" },
    { name: "x-third" },
  ]);
  await scene.emit();
  const request = await scene.receiver.next((one) => one.path === "/kept");
  expect(request.headers["x-first"]).toBeUndefined();
  expect(request.headers).toMatchObject({ "x-second": "second-value", "x-third": "third-value" });
  const unknown = await scene.call("PATCH", path, { headers: [{ name: "x-new" }] });
  expect(unknown).toMatchObject({ status: 400, body: { error: { param: "headers[0].value" } } });
  expect((await scene.call("PATCH", path, { headers: [] })).body.headers).toEqual([]);
  await scene.call("DELETE", path);
});

test("refuses injected headers, the gateway's own headers, and too many", async () => {
  const value = "x";
  const many = Array.from({ length: 100 }, (_, n) => ({ name: `x-${n}`, value }));
  const large = Array.from({ length: 5 }, (_, n) => ({ name: `x-${n}`, value: value.repeat(2000) }));
  const refused = [
    ...["x-a\r\nx-svc-event-id", "x a", "", "x:", "ä", "__proto__", "-x"].map((name) => [{ name, value }]),
    ...[
      "Host",
      "x-svc-signature",
      "Webhook-Id",
      "content-length",
      "Transfer-Encoding",
      "connection",
      "TE",
    ].map((name) => [{ name, value }]),
    ...["a\r\nx: y", "a\nb", "a\u0000", "ü", " ", "", "x".repeat(3000)].map((bad) => [
      { name: "x-a", value: bad },
    ]),
    [
      { name: "x-a", value },
      { name: "X-A", value },
    ],
    [{ name: "x-a", value, more: 1 }],
    [{ name: "x-a" }],
    many,
    large,
    { "x-a": value },
  ];
  for (const headers of refused) {
    const { status, body } = await create(headers);
    expect({ headers, status }).toEqual({ headers, status: 400 });
    expect(JSON.stringify(body)).toMatch(/invalid_parameter|schema_violation|invalid_/);
  }
  const { body } = await scene.call("GET", "/webhooks/endpoints");
  expect(body.data).toEqual([]);
});

test("headers named like built-in object properties work like any others", async () => {
  const endpoint = await scene.createEndpoint(`${scene.receiver.url}/odd`, {
    headers: [
      { name: "constructor", value: "plain-value" },
      { name: "toString", value: "other-value" },
    ],
  });
  await scene.emit();
  const request = await scene.receiver.next(({ path }) => path === "/odd");
  expect(request.headers).toMatchObject({ constructor: "plain-value", tostring: "other-value" });
  await scene.call("DELETE", `/webhooks/endpoints/${endpoint.id}`);
});
