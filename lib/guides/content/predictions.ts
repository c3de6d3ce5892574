import type { Guide } from "../guide.ts";

export const predictionsGuide: Guide = {
  sections: [
    {
      title: "Run and poll",
      parts: [
        {
          text: "Operations that take longer than a request answer 202 with a prediction. Poll its `poll_url` every 2 s until the status is `succeeded`, `failed` or `canceled`.",
        },
        { snippet: "polling" },
        {
          text: "For many predictions add a [webhook](/guides/webhooks) instead: it is faster, and it does not count against your request limit.",
        },
      ],
    },
    {
      title: "Wait in the request",
      parts: [
        {
          text: "With `Prefer: wait=60` the answer waits up to 60 s. A run that ends in time is answered with 200, any other with 202: then poll.",
        },
        { snippet: "waiting" },
      ],
    },
    {
      title: "Read the result",
      parts: [
        {
          list: [
            "`output` is a list of URLs for images and one URL for a video. Each URL is signed and works until the file is removed, 24 hours after the end.",
            "`error` says why a prediction failed. A failed or canceled prediction is not charged.",
            "`timeline` has the time of every step. The console draws it on the page of the [prediction](/predictions).",
            "A prediction that has not finished after 30 minutes fails.",
          ],
        },
      ],
    },
    {
      title: "Cancel, list, run by model",
      parts: [
        {
          text: "`POST /predictions/{id}/cancel` cancels a run, `GET /predictions` lists them, and `POST /models/{namespace}/{name}/predictions` runs any model. The `replicate` package works with them as it is:",
        },
        { snippet: "replicateClient" },
      ],
      missing:
        "This gateway has no extensions: it cannot cancel or list predictions, or run a model by its name.",
    },
  ],
};
