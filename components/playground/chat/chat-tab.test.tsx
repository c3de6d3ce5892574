import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createCatalog } from "#gateway/models/catalog/load.ts";
import { draftsStore } from "@/lib/schema-form/draft";
import { PlaygroundContext, usePlaygroundState } from "../use-playground.ts";
import { ChatTab } from "./chat-tab.tsx";

vi.mock("next/navigation", () => ({ useRouter: () => ({}), usePathname: () => "/" }));

const compiled = createCatalog().operation("svc/chat-1", "chat-completions");
if (!compiled) throw new Error("svc/chat-1 has no chat-completions");
const { model, operation } = compiled;

let chunks: ReadableStreamDefaultController<Uint8Array>;

beforeEach(() => {
  localStorage.clear();
  vi.stubGlobal("scrollTo", () => {});
  vi.stubGlobal("fetch", async (address: string, { signal }: RequestInit = {}) => {
    if (!String(address).includes("/chat/completions"))
      return Response.json({ data: [], currency: "USD", places: [], budgets: [], prepaid: null });
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        chunks = controller;
        signal?.addEventListener("abort", () => controller.error(signal.reason));
      },
    });
    return new Response(body, { headers: { "content-type": "text/event-stream" } });
  });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function Conversation() {
  const state = usePlaygroundState({
    model,
    operation,
    accountId: "acct_1",
    baseUrl: "https://example.com/v1",
  });
  return (
    <PlaygroundContext value={state}>
      <ChatTab />
    </PlaygroundContext>
  );
}

const show = () =>
  render(
    <QueryClientProvider client={new QueryClient()}>
      <Conversation />
    </QueryClientProvider>,
  );
const say = (text: string) => {
  const box = screen.getByRole("textbox", { name: "Message" });
  fireEvent.change(box, { target: { value: text } });
  fireEvent.keyDown(box, { key: "Enter" });
};
const arrive = (content: string) =>
  chunks.enqueue(
    new TextEncoder().encode(`data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`),
  );
const keptMessages = () => draftsStore("acct_1").load(operation.id)?.value?.messages as { content: string }[];

it("stores the text of an unfinished answer at once when the user leaves the page", async () => {
  const { unmount } = show();
  say("Name a river.");
  await waitFor(() => expect(chunks).toBeDefined());
  arrive("The Rh");
  await screen.findByText("The Rh");
  unmount();
  show();
  expect(await screen.findByText("The Rh")).toBeDefined();
  expect(screen.getByText(/You stopped this answer/)).toBeDefined();
});

it("puts an answer before the text that the user has typed since", async () => {
  show();
  say("Name a river.");
  await waitFor(() => expect(chunks).toBeDefined());
  fireEvent.change(screen.getByRole("textbox", { name: "Message" }), { target: { value: "And a lake?" } });
  arrive("The Rhine.");
  chunks.enqueue(new TextEncoder().encode("data: [DONE]\n\n"));
  await waitFor(() => expect(screen.getByRole("button", { name: "Send" })).toBeDefined());
  await waitFor(() =>
    expect(
      keptMessages()
        ?.slice(-3)
        .map(({ content }) => content),
    ).toEqual(["Name a river.", "The Rhine.", "And a lake?"]),
  );
});
