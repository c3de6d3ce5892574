import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { newRun, type Run } from "@/lib/browser/runs/run";
import { failureOf } from "@/lib/gateway/result";
import { repeatable } from "../use-run.ts";
import { FailureView } from "./failure-view.tsx";

const failure = failureOf(429, {}, new Headers({ "retry-after": "4" }));
const onAgain = vi.fn();

beforeEach(() => {
  vi.useFakeTimers();
  onAgain.mockReset();
});
afterEach(() => {
  cleanup();
  repeatable.forbid();
  vi.useRealTimers();
});

const refused = (): Run => ({
  ...newRun("op", { prompt: crypto.randomUUID() }),
  state: "failed",
  failure,
  totalMs: 0,
});
const show = (run: Run) =>
  render(<FailureView run={run} failure={failure} busy={false} onAgain={onAgain} onGate={() => {}} />);
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

it("repeats a run once that was just refused, after the wait", async () => {
  const run = refused();
  repeatable.allow(run);
  show(run);
  expect(screen.getByText("Runs again in 4 s")).toBeTruthy();
  await pass(3000);
  expect(onAgain).not.toHaveBeenCalled();
  await pass(2000);
  expect(onAgain).toHaveBeenCalledExactlyOnceWith(run);
});

it("does not send a third request automatically when the second is refused, too", async () => {
  const run = refused();
  repeatable.allow(run);
  const first = show(run);
  await pass(5000);
  expect(onAgain).toHaveBeenCalledOnce();
  first.unmount();
  const second = { ...refused(), body: run.body, startedAtMs: Date.now() };
  repeatable.allow(second);
  show(second);
  await pass(20_000);
  expect(onAgain).toHaveBeenCalledOnce();
  expect(screen.getByRole<HTMLButtonElement>("button", { name: "Run again" }).disabled).toBe(false);
});

it("does not start again when the user returns to it", async () => {
  const run = refused();
  repeatable.allow(run);
  const { unmount } = show(run);
  fireEvent.click(screen.getByRole("button", { name: "Cancel" }));
  unmount();
  show(run);
  expect(screen.getByText("Wait 4 s")).toBeTruthy();
  await pass(20_000);
  expect(onAgain).not.toHaveBeenCalled();
  fireEvent.click(screen.getByRole("button", { name: "Run again" }));
  expect(onAgain).toHaveBeenCalledOnce();
});

it("repeats nothing for a refusal from the history", async () => {
  show(refused());
  await pass(20_000);
  expect(onAgain).not.toHaveBeenCalled();
});

it("continues its countdown, and sends nothing if the time passed while hidden", async () => {
  const run = refused();
  repeatable.allow(run);
  const first = show(run);
  await pass(1000);
  first.unmount();
  const second = show(run);
  expect(screen.getByText("Runs again in 3 s")).toBeTruthy();
  second.unmount();
  await pass(20_000);
  show(run);
  await pass(20_000);
  expect(screen.getByText("You can run it again now")).toBeTruthy();
  expect(onAgain).not.toHaveBeenCalled();
});
