import type pg from "pg";
import { pino } from "pino";
import { afterEach, beforeAll, expect, inject, it, vi } from "vitest";
import { shared } from "#gateway/testing/fixture.ts";
import { createTestDatabase } from "../../testing/database.ts";
import { startRelay } from "../../testing/relay.ts";
import { Listener, Notifier } from "./notifications.ts";

const channel = "test_wake_ups";
const logLines: string[] = [];
const log = pino({ level: "debug" }, { write: (line: string) => void logLines.push(line) });

let connection: pg.ClientConfig;
let listener: Listener;
let notifier: Notifier;
const database = shared(createTestDatabase);
beforeAll(async () => {
  connection = { ...inject("testServer").gateway, database: database.pool.options.database };
});
afterEach(async () => {
  await notifier?.close();
  await listener?.close();
  logLines.length = 0;
});

function open(): void {
  listener = new Listener(connection, log);
  notifier = new Notifier(connection, log);
}

/** Closes the connections of this name, as a fail-over does. */
const cut = (name: string) =>
  database.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where application_name = $1 and datname = current_database()`,
    [name],
  );

it("delivers a payload once to every listener of the channel, however often it was sent at once", async () => {
  open();
  const heard: string[] = [];
  const alsoHeard: string[] = [];
  await listener.listen(channel, (payload) => heard.push(payload));
  const stop = await listener.listen(channel, (payload) => alsoHeard.push(payload));
  for (const payload of ["pred_1", "pred_2", "pred_1"]) notifier.notify(channel, payload);
  notifier.notify("another_channel", "pred_3");
  await vi.waitFor(() => expect(heard.toSorted()).toEqual(["pred_1", "pred_2"]));
  expect(alsoHeard.toSorted()).toEqual(["pred_1", "pred_2"]);
  stop();
  notifier.notify(channel, "pred_4");
  await vi.waitFor(() => expect(heard).toContain("pred_4"));
  expect(alsoHeard).not.toContain("pred_4");
});

it("still wakes listeners when PostgreSQL would refuse the payload", async () => {
  open();
  const heard: string[] = [];
  await listener.listen(channel, (payload) => heard.push(payload));
  notifier.notify(channel, "é".repeat(4_000));
  await vi.waitFor(() => expect(heard).toEqual([""]));
});

it("reconnects after its connection was cut, and reports that notifications may have been missed", async () => {
  open();
  const heard: string[] = [];
  await listener.listen(channel, (payload) => heard.push(payload));
  await cut("gatehouse listener");
  await vi.waitFor(() => expect(heard).toEqual([""]));
  expect(logLines.join("")).toContain("listening for notifications again");
  notifier.notify(channel, "pred_5");
  await vi.waitFor(() => expect(heard).toEqual(["", "pred_5"]));
});

it("detects a silent connection, and receives the notifications sent in the meantime", async () => {
  const relay = await startRelay(connection);
  const relayed = { ...connection, host: "127.0.0.1", port: relay.port };
  listener = new Listener(relayed, log);
  notifier = new Notifier(connection, log);
  const heard: string[] = [];
  await listener.listen(channel, (payload) => heard.push(payload));
  await expect.poll(() => listener.isListening()).toBe(true);
  relay.cut("silent");
  await vi.waitFor(() => expect(listener.isListening()).toBe(false));
  notifier.notify(channel, "pred_12");
  relay.restore();
  await vi.waitFor(() => expect([listener.isListening(), heard]).toEqual([true, ["pred_12"]]));
  await listener.close();
  await relay.close();
});

it("continues after a listener that throws", async () => {
  open();
  const heard: string[] = [];
  await listener.listen(channel, () => {
    throw new Error("a defect");
  });
  await listener.listen(channel, (payload) => heard.push(payload));
  notifier.notify(channel, "pred_6");
  await vi.waitFor(() => expect(heard).toEqual(["pred_6"]));
  expect(logLines.join("")).toContain("a listener failed");
});

it("drops a wake-up that cannot be sent, and sends the next on a new connection", async () => {
  open();
  const heard: string[] = [];
  await listener.listen(channel, (payload) => heard.push(payload));
  notifier.notify(channel, "pred_7");
  await vi.waitFor(() => expect(heard).toEqual(["pred_7"]));
  await cut("gatehouse notifier");
  await vi.waitFor(() => {
    notifier.notify(channel, "pred_8");
    expect(heard).toContain("pred_8");
  });
});

it("sends pending wake-ups when it is closed, and nothing after", async () => {
  open();
  const heard: string[] = [];
  await listener.listen(channel, (payload) => heard.push(payload));
  notifier.notify(channel, "pred_9");
  await notifier.close();
  notifier.notify(channel, "pred_10");
  notifier = new Notifier(connection, log);
  notifier.notify(channel, "pred_11");
  await vi.waitFor(() => expect(heard).toEqual(["pred_9", "pred_11"]));
});
