import type { Guide } from "../guide.ts";

export const idempotencyGuide: Guide = {
  sections: [
    {
      title: "Send an idempotency key",
      parts: [
        {
          text: "A request whose answer never arrives may have run. Send an `Idempotency-Key` with every POST that creates something, one per thing you want done, and retry with the same key. The first result is stored for 24 hours and returned again, so you pay once.",
        },
        { snippet: "safeRetries" },
        {
          head: ["The second request", "Is answered with"],
          rows: [
            ["Same key, same body", "The first result, and `Idempotent-Replayed: true`"],
            ["Same key, other body", "422 `idempotency_key_reused`"],
            ["While the first still runs", "409 `idempotency_in_progress`: retry later"],
            ["After a rejected request or a broken stream", "A new run: these are not kept"],
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
            ["5xx", "A few times with growing waits. Not automatically with `x-should-retry: false`"],
            ["Any other 4xx", "No: change the request first. Retrying does not open a [gate](/guides/gates)"],
          ],
        },
        {
          text: "`x-should-retry: false` means that the run may have started, or would fail the same way. Clients for OpenAI obey it; curl does not, so use `--retry` only where a second run does no harm.",
        },
        {
          text: "The gateway retries upstream for you where that is safe: only before the first byte was sent, and never a media creation that may have started.",
        },
      ],
    },
  ],
};
