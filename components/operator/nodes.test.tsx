import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import type { OperatorNode } from "#contract/operator/nodes.ts";
import { fetchRoute } from "@/lib/browser/fetch-from-gateway";
import { act } from "@/lib/gateway/act";
import { Nodes } from "./nodes.tsx";

vi.mock("@/lib/gateway/act", () => ({ act: vi.fn() }));
vi.mock("@/lib/browser/fetch-from-gateway", () => ({ fetchRoute: vi.fn() }));

afterEach(cleanup);

const node = (more: Partial<OperatorNode> = {}): OperatorNode => ({
  ...{ id: "web-1", object: "operator.node", drained: null },
  processes: [{ id: "web-1:7", drained: null, running: null }],
  ...more,
});
const by = { since: "2026-11-29T10:00:00.000Z", reason: "Kernel update", by: { id: "user_1", name: "Olga" } };

function show(nodes: OperatorNode[]) {
  const list = { object: "list" as const, data: nodes };
  vi.mocked(fetchRoute).mockResolvedValue(list as never);
  const sent: unknown[] = [];
  vi.mocked(act).mockImplementation(async (...call) => {
    sent.push(call);
    return { answer: Promise.resolve({ ok: true, data: list }) } as never;
  });
  render(
    <QueryClientProvider client={new QueryClient()}>
      <Nodes initial={list} />
    </QueryClientProvider>,
  );
  return sent;
}

test("the only node is drained after a warning", async () => {
  const sent = show([node()]);
  expect(screen.getByText("Takes work")).toBeDefined();
  await userEvent.click(screen.getByRole("button", { name: "Drain" }));
  expect((await screen.findByRole("dialog")).textContent).toContain("It is the only node");
  await userEvent.click(screen.getAllByRole("button", { name: "Drain" }).at(-1) as HTMLElement);
  expect(sent).toEqual([["POST /operator/nodes/{id}/drain", { params: { id: "web-1" }, body: {} }]]);
});

test("a drained node says who, why and what it still has in hand, and takes work again", async () => {
  const sent = show([node({ drained: by, processes: [{ id: "web-1:7", drained: null, running: 2 }] })]);
  expect(screen.getByText(/by Olga: 2 jobs in hand/)).toBeDefined();
  expect(screen.getByText("Kernel update")).toBeDefined();
  await userEvent.click(screen.getByRole("button", { name: "Undrain" }));
  expect(sent).toEqual([["DELETE /operator/nodes/{id}/drain", { params: { id: "web-1" } }]]);
});
