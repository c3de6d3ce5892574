import { PassThrough, Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { StalledSenderError, withIdleTimeout } from "./receive.ts";

test("bytes pass completely, however slowly, as long as some keep coming", async () => {
  const body = new PassThrough();
  const read = text(withIdleTimeout(body, 500));
  for (const part of ["one", " two", " three", " four"]) {
    body.write(part);
    await sleep(200); // The pauses together are longer than the time-out, each is shorter.
  }
  body.end();
  expect(await read).toBe("one two three four");
});

test("a silent sender is cut off, before its first byte and after", async () => {
  for (const parts of [[], ["half"]]) {
    const body = new PassThrough();
    for (const part of parts) body.write(part);
    await expect(text(withIdleTimeout(body, 50))).rejects.toThrow(StalledSenderError);
    expect(body.destroyed).toBe(true);
  }
});

test("a slow reader does not time out the sender", async () => {
  const parts = Array.from({ length: 5 }, () => Buffer.alloc(200_000));
  let sizeBytes = 0;
  for await (const chunk of withIdleTimeout(Readable.from(parts), 50)) {
    sizeBytes += chunk.length;
    await sleep(100); // Longer than the time-out.
  }
  expect(sizeBytes).toBe(1_000_000);
});
