import type { Guide } from "../guide.ts";

export const webhooksGuide: Guide = {
  sections: [
    {
      title: "Add an endpoint",
      parts: [
        {
          text: "Add the public HTTPS address of your receiver on [Endpoints](/webhooks/endpoints), or with this code: it adds the address in `WEBHOOK_URL` and does nothing while that is not set. The signing secret is shown only once: store it as `WEBHOOK_SECRET`.",
        },
        { snippet: "addEndpoint" },
      ],
    },
    {
      title: "Receive and verify",
      parts: [
        {
          text: "Every event is signed in `x-svc-signature`, as `t=<unix seconds>,v1=<hex>`: the HMAC-SHA256 of `<t>.<raw body>` with the secret. During a rotation there is one `v1` per valid secret. The headers of Standard Webhooks are sent too. If your receiver should hold no secret, check “Also sign with a key pair” in the settings of the endpoint: `webhook-signature` then also has `v1a,<base64>`, an Ed25519 signature over `<webhook-id>.<webhook-timestamp>.<raw body>`, and the page of the endpoint shows its public key (`whpk_…`).",
        },
        { receivers: true },
      ],
    },
    {
      title: "Retries",
      parts: [
        {
          text: "A delivery succeeds with a 2xx answer within 10 s from the moment it was sent. Otherwise it is tried eight times within about 15 hours, and then stays in the log as a dead letter. Redirects are not followed; `Retry-After` is obeyed up to one hour.",
        },
        {
          text: "Retry deliveries on [Deliveries](/webhooks/deliveries), or with this code: it retries the newest dead letters, up to 100, of the endpoint in `ENDPOINT_ID`, and leaves out those that were retried before. A retry sends the same bytes and never runs the model again.",
        },
        { snippet: "retryDeadLetters" },
        {
          text: "After an outage, choose “Send events again…” on the page of the endpoint: it counts the events missed since a given time, and sends them in the background. To stop deliveries, send the header `x-svc-deliveries: stop` with any answer, or answer `410 Gone` to three attempts of a delivery in a row: the endpoint is disabled, and its deliveries wait.",
        },
      ],
    },
    {
      title: "Get notified of problems",
      parts: [
        {
          text: "Subscribe a second endpoint to `endpoint.failing`, `endpoint.disabled`, `endpoint.recovered` and `delivery.exhausted`: a dead endpoint cannot report itself. [Event types](/webhooks/event-types) has the schema and an example of every event.",
        },
      ],
      missing: "This gateway has no extensions: look at the list of deliveries for dead letters.",
    },
    {
      title: "Receive without a public address",
      parts: [
        {
          text: "Ask `GET {base}/events?after=<cursor>` now and then, and pass the `cursor` of each answer to the next call: no event is skipped or repeated. `has_more` means that more events are waiting.",
        },
      ],
      missing: "This gateway has no extensions: read predictions until they end.",
    },
    {
      title: "Develop without a public URL",
      parts: [
        {
          text: "In a copy of Gatehouse, `npm run -s gatehouse -- listen --gateway {base} --forward-to http://localhost:8080/hook` forwards each event to your program, signed. [Endpoints](/webhooks/endpoints) has a form that checks a signature and says why one does not match.",
        },
      ],
      missing:
        "This gateway has no extensions, so `listen` does not work with it. Use a tunnel to your machine, and check signatures with the code above.",
    },
  ],
};
