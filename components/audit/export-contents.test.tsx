import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { ToastProvider } from "@/components/ui/toast";
import { saveBlob } from "@/lib/browser/save-file";
import { ExportContents } from "./export-contents.tsx";

vi.mock("@/lib/browser/save-file", () => ({ saveBlob: vi.fn() }));
const asked = vi.fn<(address: string, request: RequestInit) => Promise<Response>>();
beforeEach(() => {
  vi.stubGlobal("fetch", asked);
  render(
    <ToastProvider>
      <ExportContents filterAt={() => ({ contents: "kept", model: "svc/chat-1" })} />
    </ToastProvider>,
  );
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.mocked(saveBlob).mockReset();
});

/** An answer of which the test sends the parts. */
function answerInParts() {
  let parts: ReadableStreamDefaultController<Uint8Array> | undefined;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      parts = controller;
    },
  });
  asked.mockImplementation(async (_, { signal }) => {
    signal?.addEventListener("abort", () => parts?.error(signal.reason));
    return new Response(body);
  });
  return {
    send: (text: string) => parts?.enqueue(new TextEncoder().encode(text)),
    end: () => parts?.close(),
    breakOff: () => parts?.error(new TypeError("network error")),
  };
}

const start = () => fireEvent.click(screen.getByRole("button", { name: "JSONL" }));

it("counts the chats while they arrive, and saves them as one file", async () => {
  const answer = answerInParts();
  start();
  answer.send('{"messages":[]}\n{"mess');
  await screen.findByRole("button", { name: /^Stop \(1 chat, / });
  answer.send('ages":[]}\n');
  answer.end();
  await screen.findByText(/^Saved 2 chats, /);
  expect(asked.mock.calls[0]?.[0]).toContain("/contents/export?contents=kept&model=svc%2Fchat-1");
  const [name, blob] = vi.mocked(saveBlob).mock.calls[0] ?? [];
  expect(name).toBe("contents.jsonl");
  expect(await blob?.text()).toBe('{"messages":[]}\n{"messages":[]}\n');
});

it("saves nothing when it is stopped, breaks off, is refused or finds nothing", async () => {
  const stopped = answerInParts();
  start();
  stopped.send("{}\n");
  fireEvent.click(await screen.findByRole("button", { name: /^Stop \(1 chat/ }));
  await screen.findByRole("button", { name: "JSONL" });

  const broken = answerInParts();
  start();
  broken.send("{}\n");
  broken.breakOff();
  await screen.findByText("The download broke off");

  const refusal = { error: { code: "role_not_allowed", message: "Only owners and admins" } };
  asked.mockImplementation(async () => Response.json(refusal, { status: 403 }));
  start();
  await screen.findByText("Your role does not allow this");

  const empty = answerInParts();
  start();
  empty.end();
  await screen.findByText("No chats with whole answers match");
  expect(saveBlob).not.toHaveBeenCalled();
});
