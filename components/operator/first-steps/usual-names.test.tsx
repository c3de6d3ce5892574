import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { UsualNames } from "./usual-names.tsx";

const sent: { name: string; models: string[]; for_everyone: boolean }[] = [];
const refusals = new Map<string, string>();
vi.mock("next/navigation", () => ({
  usePathname: () => "/operator/first-steps",
  useRouter: () => ({ refresh: () => {} }),
  unstable_rethrow: () => {},
}));
vi.mock("@/lib/gateway/act", () => ({
  act: async (_route: string, { body }: { body: (typeof sent)[number] }) => {
    sent.push(body);
    const code = refusals.get(body.name);
    const error = { code, message: `${body.name} was refused.`, status: 409, param: null, details: [] };
    return { answer: Promise.resolve(code ? { ok: false, error } : { ok: true, data: body }) };
  },
}));
afterEach(() => {
  cleanup();
  sent.length = 0;
  refusals.clear();
});

const models = [
  { kind: "chat-completions", models: ["acme/fast", "svc/chat-1"] },
  { kind: "audio-transcription", models: ["svc/asr-1"] },
  { kind: "text-to-speech", models: ["svc/tts-1"] },
  { kind: "embeddings", models: [] },
] as const;
const choose = (label: string, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } });

it("makes an alias for all accounts from each usual name, and reports which", async () => {
  refusals.set("gpt-4o", "alias_exists");
  render(<UsualNames models={models} />);
  expect(screen.queryByLabelText("Embeddings")).toBeNull();
  choose("Chat", "svc/chat-1");
  choose("Speech", "");
  fireEvent.click(screen.getByRole("button", { name: "Make 12 aliases" }));
  await screen.findByText(/whisper-1, gpt-4o-transcribe\. Already in use: gpt-4o\.$/);
  expect(sent).toHaveLength(12);
  expect(sent).toContainEqual({ name: "gpt-4o-mini", models: ["svc/chat-1"], for_everyone: true });
  expect(sent.find(({ name }) => name === "tts-1")).toBeUndefined();
});

it("stops at any other refusal, and says what was made before", async () => {
  refusals.set("gpt-4.1", "too_many_aliases");
  render(<UsualNames models={models} />);
  fireEvent.click(screen.getByRole("button", { name: "Make 14 aliases" }));
  expect(await screen.findByText(/gpt-4\.1 was refused/)).toBeTruthy();
  expect(screen.getByRole("status").textContent).toBe("Made: gpt-4o, gpt-4o-mini. Already in use: none.");
  expect(sent).toHaveLength(3);
});
