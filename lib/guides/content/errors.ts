import type { Guide } from "../guide.ts";

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
              "The key's monthly budget is used up",
              "Raise it, or wait for the next month",
            ],
            [
              "403",
              "Not allowed for this key, or a safety gate",
              "Use another key, or see [Gates](/guides/gates)",
            ],
            ["404", "It does not exist in this account", "Check the id"],
            ["409", "Not possible in the current state", "Read the object again"],
            ["410", "Its data was removed", "See [Retention](/guides/retention)"],
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
            "The answer of an operation has `RateLimit` and `x-ratelimit-*` headers with what is left.",
            "JSON has at most 250,000 values and 100 levels. What a model accepts is on its page in the [catalog](/catalog).",
            "All live uploads of an account together: 20 GB by default.",
          ],
        },
      ],
    },
  ],
};
