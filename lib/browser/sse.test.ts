import fc from "fast-check";
import { expect, it } from "vitest";
import { readEvents } from "./runs/read-answer.ts";

async function eventsOf(bytes: Uint8Array, cuts: readonly number[]) {
  const places = [...new Set([0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length])].sort(
    (a, b) => a - b,
  );
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      places.slice(1).forEach((end, index) => {
        controller.enqueue(bytes.slice(places[index], end));
      });
      controller.close();
    },
  });
  const events = [];
  for await (const event of readEvents(stream)) events.push(event);
  return events;
}

const stream = (newline: string) =>
  new TextEncoder().encode(
    [
      ": keepalive",
      "",
      'data: {"a":"naïve 🦊"}',
      "",
      "event: usage",
      "data: one",
      "data: two",
      "",
      "data: [DONE]",
      "",
      "data: cut off",
    ].join(newline),
  );

it.each(["\n", "\r\n", "\r"])("reads the same events wherever the bytes are split (%j)", async (newline) => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(200), { maxLength: 12 }), async (cuts) => {
      expect(await eventsOf(stream(newline), cuts)).toEqual([
        { event: "message", data: '{"a":"naïve 🦊"}' },
        { event: "usage", data: "one\ntwo" },
        { event: "message", data: "[DONE]" },
      ]);
    }),
  );
});
