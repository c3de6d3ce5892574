import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { ToastProvider } from "@/components/ui/toast";
import { changeConfiguration } from "@/lib/gateway/act";
import { usualNames } from "@/lib/operator/usual-names";
import { UsualNames } from "./usual-names.tsx";

vi.mock("@/components/ui/page/link", () => ({
  Link: (props: object) => <a {...props} />,
  usePageRouter: () => ({ refresh: () => undefined }),
}));
vi.mock("@/lib/gateway/act", () => ({ act: vi.fn(), changeConfiguration: vi.fn() }));
afterEach(cleanup);

const models = [
  { kind: "chat-completions", models: ["acme/fast", "svc/chat-1"] },
  { kind: "audio-transcription", models: ["svc/asr-1"] },
  { kind: "text-to-speech", models: ["svc/tts-1"] },
  { kind: "embeddings", models: ["svc/embed-1", "openai/text-embedding-3-small"] },
] as const;

function open(answer: unknown, existing: readonly string[] = []) {
  const send = vi.mocked(changeConfiguration).mockReset();
  send.mockResolvedValue({ answer: Promise.resolve(answer) } as never);
  render(
    <QueryClientProvider client={new QueryClient()}>
      <ToastProvider>
        <UsualNames models={models} existing={existing} />
      </ToastProvider>
    </QueryClientProvider>,
  );
  return send;
}
const choose = (label: string, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } });

it("makes the chosen names that do not exist as one change, which can be undone", async () => {
  const made = { aliases: ["gpt-4o-mini", "whisper-1"] };
  const send = open({ ok: true, data: { data: made, changeId: "audit_1" } }, ["gpt-4o"]);
  expect(screen.queryByLabelText("gpt-4o")).toBeNull();
  choose("Chat", "svc/chat-1");
  choose("Speech", "");
  fireEvent.click(screen.getByLabelText("gpt-5"));
  fireEvent.click(screen.getByRole("button", { name: "Make 11 aliases" }));
  await screen.findByText("2 aliases made");
  screen.getByRole("button", { name: "Undo" });
  expect(send).toHaveBeenCalledTimes(1);
  const [route, given] = send.mock.calls[0] ?? [];
  const { aliases } = (given as unknown as { body: { file: { aliases: Record<string, unknown> } } }).body
    .file;
  expect([route, Object.keys(aliases).length]).toEqual(["POST /operator/file", 11]);
  expect(aliases).toMatchObject({
    "gpt-4o-mini": { models: ["svc/chat-1"] },
    "whisper-1": { models: ["svc/asr-1"] },
    "text-embedding-3-small": { models: ["openai/text-embedding-3-small"] },
  });
  for (const name of ["gpt-4o", "gpt-5", "tts-1", "text-embedding-3-large"])
    expect(aliases).not.toHaveProperty([name]);
});

it("shows a refusal, and says when nothing is left to make", async () => {
  const error = {
    code: "invalid_parameter",
    message: "It was refused.",
    status: 400,
    param: null,
    details: [],
  };
  open({ ok: false, error });
  fireEvent.click(screen.getByRole("button", { name: "Make 15 aliases" }));
  expect(await screen.findByText(/It was refused/)).toBeTruthy();
  cleanup();
  open(null, Object.values(usualNames).flat());
  screen.getByText(/exist already/);
  expect(screen.queryByRole("button", { name: /Make/ })).toBeNull();
});
