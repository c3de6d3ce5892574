import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { createCatalog } from "#gateway/catalog/load.ts";
import { RunBar } from "./run-bar";

afterEach(cleanup);

const compiled = createCatalog().operation("svc/chat-1", "chat-completions");
if (!compiled) throw new Error("svc/chat-1 has no chat-completions");

const show = (body: Record<string, unknown> | null) =>
  render(
    <RunBar
      model={compiled.model}
      operation={compiled.operation}
      body={body}
      gates="none"
      recorded={false}
      onOpenGate={() => {}}
      running={false}
      stoppable={false}
      uploading={0}
      onRun={vi.fn()}
      onStop={() => {}}
      runRef={null}
    />,
  );
const run = () => screen.getByRole<HTMLButtonElement>("button", { name: /^Run/ });

it("cannot run while the JSON is broken, and says why", () => {
  show(null);
  expect(run().disabled).toBe(true);
  expect(screen.getByText("Fix the JSON")).toBeTruthy();
});

it("can run once it is fixed", () => {
  show({ messages: [] });
  expect(run().disabled).toBe(false);
});
