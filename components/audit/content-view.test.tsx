import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, render, screen, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Content } from "#contract/contents.ts";
import { ContentView } from "./content-view.tsx";

const asked = vi.fn<(address: string) => Promise<Response>>();
beforeEach(() => {
  asked.mockImplementation(async () => Response.json({ object: "list", data: [], has_more: false }));
  vi.stubGlobal("fetch", asked);
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const hash = "ab12".repeat(16);
const view = (shown: Content) => (
  <QueryClientProvider client={new QueryClient()}>
    <ContentView content={shown} baseUrl="https://gateway.example/v1" />
  </QueryClientProvider>
);

const content: Content = {
  ...{ id: "gen_01k00000000000000000000001", object: "content", created_at: "2026-11-20T10:00:00Z" },
  ...{ request_id: null, key_id: null, user_id: null, model: "svc/chat-1", api_type: "chat-completions" },
  ...{ stored: false, metadata: null, opening: "Where is it?", error: null, cut: false },
  upstream_changes: null,
  input: {
    messages: [
      { role: "system", content: "Be short" },
      {
        role: "user",
        content: [
          { type: "text", text: "Where is it?" },
          { type: "image_url", image_url: { url: `file:image/png;bytes=700;sha256=${hash}` } },
          {
            type: "input_audio",
            input_audio: { data: `file:audio/wav;bytes=900;sha256=${"cd34".repeat(16)}`, format: "wav" },
          },
          { type: "file", file: { file_id: "file_1" } },
        ],
      },
    ],
  },
  output: {
    choices: [
      {
        message: {
          role: "assistant",
          content: "In the harbour",
          reasoning_content: "Ships lie in harbours",
          tool_calls: [{ id: "call_1", type: "function", function: { name: "look", arguments: '{"at":1}' } }],
        },
      },
    ],
  },
};

it("shows a call as a conversation, with thoughts folded, calls as cards and files by their hash", async () => {
  render(view(content));
  const [system, question, answer] = within(screen.getByRole("list", { name: "Conversation" })).getAllByRole(
    "listitem",
  );
  if (!system || !question || !answer) throw new Error("a message is missing");
  expect(within(system).getByText("System").closest("details")?.open).toBe(false);
  within(question).getByText("Where is it?");
  within(question).getByText("image/png, 700 B");
  within(question).getByText(`SHA-256 ${hash}`);
  within(question).getByText("audio/wav, 900 B");
  within(question).getByText('{"type":"file","file":{"file_id":"file_1"}}');
  expect(within(question).queryByRole("img")).toBeNull();
  await within(answer).findByText("In the harbour");
  expect(within(answer).getByText("Thinking").closest("details")?.open).toBe(false);
  within(answer).getByText("look");
  expect(screen.getByText("JSON").closest("details")?.open).toBe(false);
});

it.each([
  ["an upload", "/uploads?", { preview_url: "https://gateway.example/preview", download_url: null }],
  ["an output", "/outputs?sha256=", { preview_url: "https://gateway.example/preview" }],
  ["a kept output", "kept=true", { preview_url: "https://gateway.example/preview" }],
])("shows the picture that is still there as %s", async (_, place, file) => {
  asked.mockImplementation(async (address) =>
    Response.json({ object: "list", data: address.includes(place) ? [file] : [], has_more: false }),
  );
  render(view(content));
  expect((await screen.findByRole("img")).getAttribute("src")).toBe(file.preview_url);
  for (const [address] of asked.mock.calls) expect(address).toContain(`sha256=${hash}`);
});

it("shows what the upstream got instead, and nothing where nothing was changed", () => {
  const { rerender } = render(view({ ...content, upstream_changes: [] }));
  expect(screen.queryByText(/^Changed for the upstream/)).toBeNull();
  const changes = [
    { field: "model", asked: "fast", sent: "gpt-5-mini" },
    { field: "store", asked: true },
    { field: "stream_options", sent: { include_usage: true } },
  ];
  rerender(view({ ...content, upstream_changes: changes }));
  screen.getByText("Changed for the upstream (3 fields)");
  const table = within(screen.getByRole("table", { hidden: true }));
  const cells = table.getAllByRole("row", { hidden: true }).map((row) => row.textContent);
  expect(cells.slice(1)).toEqual([
    "modelfastgpt-5-mini",
    "storetruenothing",
    'stream_optionsnothing{"include_usage":true}',
  ]);
});

it("says that an answer was cut, and shows the error and the text of a call that is no chat", () => {
  const error = { code: "upstream_error", message: "It broke" };
  const spoken = { api_type: "text-to-speech" as const, input: { input: "Call me Ishmael" }, output: null };
  render(view({ ...content, ...spoken, error, cut: true }));
  screen.getByText("Call me Ishmael");
  screen.getByText("upstream_error");
  screen.getByText(/The answer ends here/);
});
