import { cleanup, fireEvent, render, screen, within } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { emptyChat } from "@/lib/browser/runs/read-answer";
import { ChatView, Conversation } from "./chat-view.tsx";

afterEach(cleanup);

const question = { role: "user", content: "When does it freeze?" };

it("is shown as a conversation when it has more than one question", () => {
  const { rerender } = render(<Conversation messages={[question]} />);
  expect(screen.queryByRole("list")).toBeNull();
  rerender(
    <Conversation
      messages={[
        question,
        { role: "assistant", content: null, tool_calls: [] },
        { role: "user", content: "And?" },
      ]}
    />,
  );
  const turns = within(screen.getByRole("list", { name: "Conversation so far" })).getAllByRole("listitem");
  expect(turns.map(({ textContent }) => textContent)).toEqual([
    "YouWhen does it freeze?",
    "Model",
    "YouAnd?",
  ]);
});

it("offers to continue an answer, also a stopped one, but not while it streams", () => {
  const onReply = vi.fn();
  const chat = { ...emptyChat, text: "In December." };
  const { rerender } = render(<ChatView chat={chat} state="running" onReply={onReply} />);
  expect(screen.queryByRole("button", { name: "Add the answer and reply" })).toBeNull();
  rerender(<ChatView chat={chat} state="stopped" onReply={onReply} />);
  fireEvent.click(screen.getByRole("button", { name: "Add the answer and reply" }));
  expect(onReply).toHaveBeenCalledOnce();
});
