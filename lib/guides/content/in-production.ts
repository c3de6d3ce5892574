import { uploadMaxBytes } from "#contract/upload-constants.ts";
import { formatByteLimit } from "@/lib/format";
import type { Guide } from "../guide.ts";

export const predictionsGuide: Guide = {
  sections: [
    {
      title: "Run and poll",
      parts: [
        {
          text: "Operations that take longer than a request return 202 with a prediction. Poll its `poll_url` every 2 s until the status is `succeeded`, `failed` or `canceled`.",
        },
        { snippet: "polling" },
        {
          text: "If you have many predictions, add a [webhook](/guides/webhooks) instead of polling: it is faster, and it does not count against your request limit.",
        },
      ],
    },
    {
      title: "Wait in the request",
      parts: [
        {
          text: "With `Prefer: wait=60` the answer waits up to 60 s. If the run ends in time, the answer is 200, otherwise 202: then poll.",
        },
        { snippet: "waiting" },
      ],
    },
    {
      title: "Read the result",
      parts: [
        {
          list: [
            "`output` is a list of URLs for images and one URL for a video. Each URL is signed and works until the file is removed, 24 hours after the prediction has ended.",
            "`error` says why a prediction failed. A failed or canceled prediction is not charged.",
            "`timeline` has the time of every step. The console draws it on the prediction's [page](/predictions).",
            "A prediction that has not finished after 30 minutes fails.",
          ],
        },
      ],
    },
    {
      title: "Cancel, list, run by model",
      parts: [
        {
          text: "`POST /predictions/{id}/cancel` cancels a run, `GET /predictions` lists them, and `POST /models/{namespace}/{name}/predictions` runs any model. The `replicate` package works with these routes unchanged:",
        },
        { snippet: "replicateClient" },
      ],
      missing:
        "This gateway has no extensions: it cannot cancel or list predictions, or run a model by its name.",
    },
  ],
};

export const uploadsGuide: Guide = {
  sections: [
    {
      title: "Upload in three steps",
      parts: [
        {
          text: "Announce the file, send its bytes to the signed URL, and let the gateway verify them. Then use the `reference` (`upload://upl_…`) wherever a request accepts media. This example transcribes a recording:",
        },
        { snippet: "uploads" },
        {
          list: [
            "Send the headers in `upload_headers` with the bytes. The signed URL is valid for 15 minutes, for one file of the announced length.",
            "Add `sha256` when you announce the file, and the verification compares it.",
            "A file whose bytes do not match its type is `rejected`, and `error` says why.",
          ],
        },
        {
          text: "A request also takes an `https` URL or a `data:` URI, and most media routes take multipart forms. An upload is best for private or large files, and for files that you use more than once.",
        },
      ],
    },
    {
      title: "Continue after a broken connection",
      parts: [
        {
          text: "A large upload over a bad connection need not start over. Instead of the PUT, send the file to the `resume_url` of the upload with any client of [tus 1.0](https://tus.io), such as `tus-js-client` with `uploadUrl`. Then verify as above.",
        },
        {
          list: [
            "`HEAD` returns the stored size in `Upload-Offset`; `PATCH` sends the bytes from there. Send one request at a time: a second one gets 423 `upload_locked`.",
            "A started upload waits 24 hours for its next part. Read the upload again (`GET /v1/uploads/{id}`) for a fresh `resume_url`.",
            "After a restart, compare your file with the hashes in `GET /v1/uploads/{id}/parts` before you continue.",
          ],
        },
      ],
    },
    {
      title: "Types and sizes",
      parts: [
        {
          head: ["Media", "Types", "Up to"],
          rows: [
            ["Images", "JPEG, PNG, WebP, GIF, BMP", formatByteLimit(uploadMaxBytes.image)],
            ["Audio", "WAV, MP3, MP4, Ogg, FLAC, WebM", formatByteLimit(uploadMaxBytes.audio)],
            ["Video", "MP4, QuickTime, WebM", formatByteLimit(uploadMaxBytes.video)],
          ],
        },
        {
          text: "A model may allow less: see its page in the [catalog](/catalog). Files expire 24 hours after they are verified; see [Retention](/guides/retention).",
        },
      ],
    },
  ],
};

export const webhooksGuide: Guide = {
  sections: [
    {
      title: "Add an endpoint",
      parts: [
        {
          text: "Add the public HTTPS address of your receiver on [Endpoints](/webhooks/endpoints), or with this code: it adds the address in `WEBHOOK_URL` and does nothing if the variable is not set. The signing secret is shown only once: store it as `WEBHOOK_SECRET`.",
        },
        { snippet: "addEndpoint" },
      ],
    },
    {
      title: "Receive and verify",
      parts: [
        {
          text: "Every event is signed in `x-svc-signature`, as `t=<unix seconds>,v1=<hex>`: the HMAC-SHA256 of `<t>.<raw body>` with the secret. During a rotation there is one `v1` per valid secret. The headers of Standard Webhooks are sent too. If your receiver should not store a secret, check “Also sign with a key pair” in the settings of the endpoint: `webhook-signature` then also has `v1a,<base64>`, an Ed25519 signature over `<webhook-id>.<webhook-timestamp>.<raw body>`, and the page of the endpoint shows its public key (`whpk_…`).",
        },
        { receivers: true },
      ],
    },
    {
      title: "Receivers named by a request",
      parts: [
        {
          text: "A run in the background may name its own receiver: `callback_url` in the body, or Replicate’s `webhook` with `webhook_events_filter`. It needs no endpoint. Models that answer at once refuse it.",
        },
        {
          text: "These deliveries are signed in the same way, all with one secret of the account: `GET {base}/webhooks/default/secret` returns it as `key`, to owners, admins and keys with the scope `webhooks`. The verification code above works with it. With the `replicate` package, read it with `replicate.webhooks.default.secret.get()`, and pass the request and its `key` to `validateWebhook`. Its rotation and the allowed hosts are in [Settings](/settings).",
        },
      ],
      missing: "This gateway has no extensions: requests cannot name receivers.",
    },
    {
      title: "Retries",
      parts: [
        {
          text: "A delivery succeeds with a 2xx answer within 10 s from the moment it was sent. Otherwise it is tried eight times within about 15 hours, and then stays in the log as a dead letter. Redirects are not followed; `Retry-After` is obeyed up to one hour.",
        },
        {
          text: "Retry deliveries on [Deliveries](/webhooks/deliveries), or with this code: it retries the newest dead letters, up to 100, of the endpoint in `ENDPOINT_ID`, and skips those that were already retried. A retry sends the same bytes and never runs the model again.",
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
      missing: "This gateway has no extensions: check the list of deliveries for dead letters.",
    },
    {
      title: "Receive without a public address",
      parts: [
        {
          text: "Call `GET {base}/events?after=<cursor>` from time to time, and pass the `cursor` of each answer to the next call: no event is skipped or repeated. `has_more` means that more events are waiting.",
        },
      ],
      missing: "This gateway has no extensions: read predictions until they end.",
    },
    {
      title: "Develop without a public URL",
      parts: [
        {
          text: "In a copy of Gatehouse, `npm run -s gatehouse -- listen --gateway {base} --forward-to http://localhost:8080/hook` forwards each event to your program, signed. [Endpoints](/webhooks/endpoints) has a form that checks a signature and explains why it does not match.",
        },
      ],
      missing:
        "This gateway has no extensions, so `listen` does not work with it. Use a tunnel to your machine, and check signatures with the code above.",
    },
  ],
};

export const retentionGuide: Guide = {
  sections: [
    {
      title: "How long data is kept",
      parts: [
        {
          head: ["What", "Until"],
          rows: [
            ["Upload that never received its bytes", "Its signed URL expires, after 15 minutes"],
            ["Verified upload", "24 hours after verification"],
            [
              "Answers in the output file of an OpenAI batch",
              "24 hours after the batch ended; images 24 hours after they were made",
            ],
            ["Input and output of a prediction", "24 hours after it finished; then `data_removed` is true"],
            [
              "Prediction itself: status, times, usage",
              "For as long as the gateway keeps its history; see [Settings](/settings)",
            ],
            [
              "Output that somebody keeps in the [library](/library)",
              "Until its `kept_until`; null means until somebody removes it. The operator limits the time with `KEPT_DAYS`, and turns the library off with `KEEP_OUTPUTS=off`",
            ],
            [
              "Saved conversation",
              "Removed when nobody has changed it for as long as the gateway keeps its history (`HISTORY_DAYS`)",
            ],
            ["Signed URL of an output", "As long as its file: 24 hours"],
            ["Signed URL of an upload", "15 minutes; read the upload again for a fresh one"],
            ["Result for an idempotency key", "24 hours"],
            ["Payload of a webhook event", "Until the retention time is over; then a retry returns 410"],
          ],
        },
        { text: "The operator of a gateway may set shorter or longer times." },
      ],
    },
    {
      title: "Keep in the library",
      parts: [
        {
          text: "Keep under an output, on its page or in the playground, copies it into the [library](/library), where it stays until somebody removes it, or until `kept_until`. A program asks `GET {base}/outputs?prediction_id=pred_…` for the ids of a prediction’s outputs (`out_…`), and calls `POST {base}/outputs/{id}/keep`. The `expires_at` of the answer is still that of the run’s own file.",
        },
      ],
      missing: "This gateway has no extensions, and no library.",
    },
    {
      title: "Copy to your own storage",
      parts: [
        {
          text: "Copy outputs when the [webhook](/guides/webhooks) arrives or the poll ends. The page of a [prediction](/predictions) shows the remaining time and can download all outputs at once.",
        },
        { snippet: "saveOutputs" },
      ],
    },
    {
      title: "Prove what was made",
      parts: [
        {
          text: "Each prediction that has ended, each stored response and each sync run with stored files has a receipt: salted hashes of input and outputs, model, provider, region, times, gates, cost and deliveries, signed with Ed25519. The receipt stays when the data is removed; the page of the [prediction](/predictions) saves it, and [Check a file](/library/check-a-file) reads it.",
        },
        {
          text: "Anybody can check it with the public keys at `/.well-known/gatehouse-receipts.json`; the check fails if a single byte was changed. This code checks the receipt of the prediction in `PREDICTION_ID`.",
        },
        { snippet: "checkReceipt" },
      ],
      missing: "This gateway has no extensions, and makes no receipts.",
    },
    {
      title: "Remove things earlier",
      parts: [
        {
          text: "`DELETE /uploads/{id}` removes an upload and its bytes at once, as does Delete on [Uploads](/uploads).",
        },
      ],
    },
    {
      title: "When a shared file is reported",
      parts: [
        {
          text: "A visitor of a shared page can report its file. That removes nothing: owners get a notice and decide on [Reports](/predictions/shared/reports), and so does the operator of the gateway.",
        },
        {
          text: "Removing deletes every stored file with the same bytes: outputs, kept outputs, uploads and the inputs of runs. The bytes are barred: keeping, sharing, copying or uploading them again fails with 403 `file_barred`. Copies in your own buckets stay; delete them there.",
        },
      ],
      missing: "This gateway has no extensions, and shares no files.",
    },
  ],
};

export const errorsGuide: Guide = {
  sections: [
    {
      title: "Read an error",
      parts: [
        {
          text: "Every error has the same shape. Decide by `code`, never by `message`. `param` names the field, and `details` lists every problem. Keep `request_id` for questions to the operator.",
        },
        { snippet: "readError" },
      ],
    },
    {
      title: "What to do",
      parts: [
        {
          head: ["Status", "Meaning", "Do"],
          rows: [
            ["400, 413, 415", "The request is wrong", "Fix the field in `param`"],
            ["401", "The key is missing, wrong, expired or revoked", "Use a valid key"],
            [
              "402 `budget_exceeded`",
              "A budget, or the cap of a task, has no room for this run",
              "Raise it, or wait until it resets. `error.task` names a capped [task](/guides/caps-per-task)",
            ],
            [
              "403",
              "Not allowed for this key, or a safety gate",
              "Use another key, or see [Gates](/guides/gates)",
            ],
            ["404", "The object does not exist in this account", "Check the id"],
            ["409", "Not possible in the object's current state", "Read the object again"],
            ["410", "The object's data was removed", "Run it again; see [Retention](/guides/retention)"],
            ["422 `content_policy_violation`", "The model refused the content", "Change the content"],
            ["429", "Too many requests at once or per minute", "Wait for `Retry-After`"],
            ["502, 503, 504", "The model or a region failed", "[Retry](/guides/idempotency)"],
          ],
        },
      ],
    },
    {
      title: "Look up a request",
      parts: [
        { text: "[Requests](/requests) lists the account's requests with their codes and request ids." },
      ],
      missing:
        "This gateway has no extensions, so it keeps no request log. Ask its operator with the request id.",
    },
    {
      title: "Limits",
      parts: [
        {
          list: [
            "600 operation requests per minute and 50 at once for each key, unless the operator or the key says otherwise. Other requests: 6,000 per minute.",
            "The answer of an operation has `RateLimit` and `x-ratelimit-*` headers with the remaining limits.",
            "JSON has at most 250,000 values and 100 levels. What a model accepts is on its page in the [catalog](/catalog).",
            "All live uploads of an account together: 20 GB by default.",
          ],
        },
      ],
    },
  ],
};

export const idempotencyGuide: Guide = {
  sections: [
    {
      title: "Send an idempotency key",
      parts: [
        {
          text: "A request whose answer never arrives may have run. Send an `Idempotency-Key` with every POST that creates something, one key for each thing that you want to create, and retry with the same key. The first result is stored for 24 hours and returned again, so you pay once.",
        },
        { snippet: "safeRetries" },
        {
          head: ["The second request", "The answer"],
          rows: [
            ["Same key, same body", "The first result, and `Idempotent-Replayed: true`"],
            ["Same key, other body", "422 `idempotency_key_reused`"],
            ["While the first still runs", "409 `idempotency_in_progress`: retry later"],
            ["After a rejected request or a broken stream", "A new run: these results are not stored"],
          ],
        },
      ],
    },
    {
      title: "What to retry",
      parts: [
        {
          head: ["Answer", "Retry?"],
          rows: [
            ["None: the connection broke", "Yes, with the same idempotency key"],
            ["408, 429, 409 `idempotency_in_progress`", "Yes, after `Retry-After`"],
            ["5xx", "A few times, waiting longer each time. Not automatically with `x-should-retry: false`"],
            ["Any other 4xx", "No: change the request first. Retrying does not open a [gate](/guides/gates)"],
          ],
        },
        {
          text: "`x-should-retry: false` means that the run may have started, or that a retry would fail the same way. Clients for OpenAI obey it; curl does not, so use `--retry` only where a second run does no harm.",
        },
        {
          text: "The gateway retries at the provider for you when that is safe: only before the first byte was sent, and never for a picture, video or sound whose creation may have started.",
        },
      ],
    },
  ],
};
