import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createCatalog } from "#gateway/models/catalog/load.ts";
import { RunBar } from "./run-bar.tsx";
import { PlaygroundContext, type PlaygroundState } from "./use-playground.ts";

beforeEach(() => {
  vi.stubGlobal("fetch", async () =>
    Response.json({ currency: "USD", places: [], budgets: [], prepaid: null }),
  );
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const compiled = createCatalog().operation("svc/chat-1", "chat-completions");
if (!compiled) throw new Error("svc/chat-1 has no chat-completions");

const { model, operation } = compiled;
const gate = { state: "none", recorded: false, openMissing() {} };
const state = { model, operation, gate, running: false, stop: null, uploading: 0, start() {} };

const show = (body: Record<string, unknown> | null) =>
  render(
    <QueryClientProvider client={new QueryClient()}>
      <PlaygroundContext value={{ ...state, body, sentBody: body } as unknown as PlaygroundState}>
        <RunBar />
      </PlaygroundContext>
    </QueryClientProvider>,
  );
const run = () => screen.getByRole<HTMLButtonElement>("button", { name: /^Run/ });

it("cannot run while the JSON is invalid, and shows why", () => {
  show(null);
  expect(run().disabled).toBe(true);
  expect(screen.getByText("Fix the JSON")).toBeTruthy();
});

it("can run when the JSON is fixed", () => {
  show({ messages: [] });
  expect(run().disabled).toBe(false);
});
