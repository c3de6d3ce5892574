import type { Guide } from "../guide.ts";

export const retentionGuide: Guide = {
  sections: [
    {
      title: "How long things live",
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
              "As long as the gateway keeps its history; Settings says how long",
            ],
            [
              "Output that somebody keeps in the [library](/library)",
              "Its `kept_until`; null means until somebody removes it. The operator limits that with `KEPT_DAYS`, and turns it off with `KEEP_OUTPUTS=off`",
            ],
            [
              "Saved conversation",
              "Nobody has changed it for as long as the gateway keeps its history (`HISTORY_DAYS`); then it is removed",
            ],
            ["Signed URL of an output", "As long as its file: 24 hours"],
            ["Signed URL of an upload", "15 minutes; read the upload again for a fresh one"],
            ["Result for an idempotency key", "24 hours"],
            ["Payload of a webhook event", "Until the retention time is over; then a retry is 410"],
          ],
        },
        { text: "The operator of a gateway may set shorter or longer times." },
      ],
    },
    {
      title: "Keep what you need",
      parts: [
        {
          text: "Copy outputs to your own storage when the [webhook](/guides/webhooks) arrives or the poll ends. The page of a [prediction](/predictions) counts down and saves everything at once.",
        },
        { snippet: "saveOutputs" },
      ],
    },
    {
      title: "Prove what was made",
      parts: [
        {
          text: "Each prediction that has ended, each stored response and each sync run with stored files has a receipt: salted hashes of input and outputs, model, provider, region, times, gates, cost and deliveries, signed with Ed25519. It stays when the data is removed; the page of the [prediction](/predictions) saves it, and [Check a file](/library/check-a-file) reads it.",
        },
        {
          text: "Anybody can check it with the public keys at `/.well-known/gatehouse-receipts.json`; one changed byte fails. This code checks the receipt of the prediction in `PREDICTION_ID`.",
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
  ],
};
