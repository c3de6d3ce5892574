import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { nextTurn, yieldToEventLoop } from "./event-loop.ts";

const large = 24;
const turns = 8;
const turnMs = 5;

it("a small request waits for one turn of many large ones, not for a turn of each", async () => {
  const echo = createServer((socket) => socket.pipe(socket)).listen(0, "127.0.0.1");
  onTestFinished(() => void echo.close());
  await once(echo, "listening");
  const socket = connect((echo.address() as AddressInfo).port, "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  await once(socket, "connect");
  let taken = 0;
  const work = async () => {
    for (let turn = 0; turn < turns; turn += 1) {
      await nextTurn();
      const until = performance.now() + turnMs;
      while (performance.now() < until);
      taken += 1;
    }
  };
  const working = Promise.all(Array.from({ length: large }, work));
  const between: number[] = [];
  while (taken < large * turns) {
    const before = taken;
    socket.write("a");
    await once(socket, "data");
    between.push(taken - before);
  }
  await working;
  // A round trip takes two steps of the small request, and each step may have to wait for a turn.
  expect(between.toSorted((one, other) => one - other)[Math.floor(between.length / 2)]).toBeLessThan(5);
});

it("a long loop ends when its caller has left", async () => {
  const left = new AbortController();
  const pause = yieldToEventLoop(left.signal);
  const working = (async () => {
    for (;;) await pause();
  })();
  left.abort();
  await expect(working).rejects.toThrow("aborted");
});
