import { cleanup, render, screen, within } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import type { Content } from "#contract/contents.ts";
import { ContentView } from "./content-view.tsx";

afterEach(cleanup);

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
          { type: "image_url", image_url: { url: "file:image/png;bytes=700;sha256=ab12" } },
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
  render(<ContentView content={content} />);
  const [system, asked, answer] = within(screen.getByRole("list", { name: "Conversation" })).getAllByRole(
    "listitem",
  );
  if (!system || !asked || !answer) throw new Error("a message is missing");
  expect(within(system).getByText("System").closest("details")?.open).toBe(false);
  within(asked).getByText("Where is it?");
  within(asked).getByText("file:image/png;bytes=700;sha256=ab12");
  await within(answer).findByText("In the harbour");
  expect(within(answer).getByText("Thinking").closest("details")?.open).toBe(false);
  within(answer).getByText("look");
  expect(screen.getByText("JSON").closest("details")?.open).toBe(false);
});

it("shows what the upstream got instead, and nothing where nothing was changed", () => {
  const { rerender } = render(<ContentView content={{ ...content, upstream_changes: [] }} />);
  expect(screen.queryByText(/^Changed for the upstream/)).toBeNull();
  const changes = [
    { field: "model", asked: "fast", sent: "gpt-5-mini" },
    { field: "store", asked: true },
    { field: "stream_options", sent: { include_usage: true } },
  ];
  rerender(<ContentView content={{ ...content, upstream_changes: changes }} />);
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
  render(
    <ContentView
      content={{
        ...content,
        ...{
          api_type: "text-to-speech",
          input: { input: "Call me Ishmael" },
          output: null,
          error,
          cut: true,
        },
      }}
    />,
  );
  screen.getByText("Call me Ishmael");
  screen.getByText("upstream_error");
  screen.getByText(/The answer ends here/);
});
