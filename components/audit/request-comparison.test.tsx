import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen, within } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import type { RequestDetail } from "#contract/usage.ts";
import { RequestComparison } from "./request-comparison.tsx";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const request = (id: string, more: Partial<RequestDetail> = {}): RequestDetail => ({
  ...{ id, object: "request", at: "2026-11-20T10:00:00Z", method: "POST", route: "/v1/chat/completions" },
  ...{
    status: 200,
    code: null,
    model: "svc/chat-1",
    region: null,
    alias: null,
    metadata: null,
    key_id: "key_1",
  },
  ...{
    user_id: null,
    duration_ms: 3,
    count: 1,
    run_id: `gen_${id}`,
    cost: null,
    usage: null,
    provider: null,
  },
  ...{ bytes_in: 80, bytes_out: 200, tokens_out: null, asked_ms: null, first_ms: null, answered_ms: null },
  ...{ upstream_key: null, failed_tries: [], guards: [], contents: "kept", ...more },
});

function show(second: Partial<RequestDetail> = {}) {
  const asked = vi.fn(async (address: string) => {
    const word = address.includes("gen_one") ? "white" : "grey";
    return Response.json({
      ...{ id: "gen", error: null, cut: false, output: null },
      input: { temperature: 1, messages: [{ role: "user", content: `Where is the ${word} whale?` }] },
    });
  });
  vi.stubGlobal("fetch", asked);
  render(
    <QueryClientProvider client={new QueryClient()}>
      <RequestComparison requests={[request("one"), request("two", second)]} names={{ key_1: "Laptop" }} />
    </QueryClientProvider>,
  );
  return asked;
}

it("marks the words that differ, and shows what is the same only on request", async () => {
  show({ duration_ms: 5 });
  const table = within(screen.getByRole("table", { name: "Requests side by side" }));
  expect((await table.findByText(/white/)).tagName).toBe("DEL");
  expect(table.getByText(/grey/).tagName).toBe("INS");
  table.getByRole("row", { name: /^Same temperature/ });
  table.getByRole("row", { name: /^Duration 3(\.0+)? ms 5(\.0+)? ms/ });
  fireEvent.click(screen.getByLabelText("Only differences"));
  table.getByRole("row", { name: /^temperature 1 1/ });
});

it("compares only figures where contents were not kept of both", () => {
  const asked = show({ contents: null });
  screen.getByText(/^Figures only/);
  expect(asked).not.toHaveBeenCalled();
});
