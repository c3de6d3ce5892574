import type { Answer } from "#gateway/testing/receiver.ts";

/** What a guard does wrong at any stage, its answer, and the reason that the caller gets. */
export const wrongAnswers: [string, Answer, RegExp][] = [
  ["answers an error", (_, response) => void response.writeHead(500).end(), /500 instead of 200/],
  ["answers no JSON", (_, response) => void response.writeHead(200).end("fine"), /not JSON/],
  [
    "answers another action",
    (_, response) => void response.end('{"action":"maybe"}'),
    /not allow, block or replace/,
  ],
  [
    "redirects",
    (_, response) => void response.writeHead(307, { location: "https://example.com" }).end(),
    /redirects are not followed/,
  ],
  [
    "announces an enormous answer",
    (_, response) => void response.writeHead(200, { "content-length": "2000000" }).end(),
    /larger than 1000000 bytes/,
  ],
  [
    "sends an enormous answer",
    (_, response) => void response.writeHead(200).end(" ".repeat(1_500_000)),
    /larger than 1000000 bytes/,
  ],
  [
    "nests too deep",
    (_, response) => void response.writeHead(200).end(`{"a":${"[".repeat(200)}${"]".repeat(200)}}`),
    /not accepted/,
  ],
  ["breaks the connection", (_, response) => void response.destroy(), /could not be reached/],
  ["is too slow", () => {}, /within 3 seconds/],
];
