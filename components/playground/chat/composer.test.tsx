import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import type { JsonObject } from "@/lib/schema-form/json";
import { PlaygroundContext, type PlaygroundState } from "../use-playground.ts";
import { Composer, type Pictures } from "./composer.tsx";
import type { Chat } from "./use-chat.ts";

vi.mock("../run-bar.tsx", async (load) => ({ ...(await load<object>()), Preflight: () => null }));
afterEach(cleanup);

function renderComposer(chat: Partial<Chat> = {}) {
  const send = vi.fn();
  const write = vi.fn();
  const state = { uploading: 0, runButton: { current: null }, gate: { recorded: false } };
  const next: JsonObject = { role: "user", content: "Hello" };
  render(
    <PlaygroundContext value={state as unknown as PlaygroundState}>
      <Composer
        chat={
          {
            next,
            mayAsk: true,
            running: false,
            unreadable: false,
            send,
            stop: vi.fn(),
            write,
            ...chat,
          } as Chat
        }
        pictures={
          {
            isOffered: true,
            uploads: { tasks: [] },
          } as unknown as Pictures
        }
      />
    </PlaygroundContext>,
  );
  return { box: screen.getByRole("textbox", { name: "Message" }), send, write };
}

it("sends with Enter, and starts a new line with Shift and Enter", () => {
  const { box, send } = renderComposer();
  fireEvent.keyDown(box, { key: "Enter", shiftKey: true });
  expect(send).not.toHaveBeenCalled();
  expect(fireEvent.keyDown(box, { key: "Enter" })).toBe(false);
  expect(send).toHaveBeenCalledOnce();
});

it("leaves Enter to an input method that is composing characters", () => {
  const { box, send } = renderComposer();
  fireEvent.keyDown(box, { key: "Enter", isComposing: true });
  // Safari reports the end of the composition before the key.
  fireEvent.keyDown(box, { key: "Enter", keyCode: 229 });
  expect(send).not.toHaveBeenCalled();
});

it("sends nothing while an answer streams, but accepts typing", () => {
  const { box, send, write } = renderComposer({ running: true });
  fireEvent.keyDown(box, { key: "Enter" });
  expect(send).not.toHaveBeenCalled();
  fireEvent.change(box, { target: { value: "And then?" } });
  expect(write).toHaveBeenCalledWith({ role: "user", content: "And then?" });
  expect(screen.getByRole("button", { name: "Stop" })).toBeDefined();
});
