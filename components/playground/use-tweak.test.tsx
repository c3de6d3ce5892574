import { cleanup, renderHook, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { FormPlan } from "@/lib/schema-form/plan";
import { english } from "@/scripts/testing/english";
import { useTweak } from "./use-tweak.ts";

const router = vi.hoisted(() => ({ replace: vi.fn() }));
vi.mock("next/navigation", () => ({ useRouter: () => router, usePathname: () => "/" }));
const plan: FormPlan = { t: english("inputForm"), modelId: "svc/chat-1", fields: [], fixed: {}, hidden: [] };
const requests = vi.fn<typeof fetch>();

beforeEach(() => {
  router.replace.mockReset();
  requests.mockReset();
  vi.stubGlobal("fetch", requests);
  window.history.replaceState(null, "", "/playground/svc/chat-1/chat-completions?from=pred_1&x=2");
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it("removes the prediction from the address when its input is loaded", async () => {
  requests.mockResolvedValueOnce(Response.json({ input: { prompt: "Hi" } }));
  const load = vi.fn();
  const { result } = renderHook(() => useTweak("pred_1", plan, {}, load));
  await waitFor(() => expect(result.current).toBe("Input of pred_1 loaded."));
  expect(load).toHaveBeenCalledExactlyOnceWith({ prompt: "Hi" });
  const address = "/playground/svc/chat-1/chat-completions?x=2";
  expect(router.replace).toHaveBeenCalledExactlyOnceWith(address, { scroll: false });
});

it("loads the model's example without a request", async () => {
  const load = vi.fn();
  renderHook(() => useTweak("example", plan, { prompt: "A heron" }, load));
  await waitFor(() => expect(load).toHaveBeenCalledExactlyOnceWith({ prompt: "A heron" }));
  expect(router.replace).toHaveBeenCalledOnce();
  expect(requests).not.toHaveBeenCalled();
});

it("keeps the address when the input could not be loaded", async () => {
  requests.mockResolvedValueOnce(Response.json({}, { status: 502 }));
  const { result } = renderHook(() => useTweak("pred_1", plan, {}, vi.fn()));
  await waitFor(() => expect(result.current).toContain("could not be loaded"));
  expect(router.replace).not.toHaveBeenCalled();
});

it("says in the place of each file of a kept call what is missing: its name is no address", async () => {
  const text = (words: string) => ({ type: "text", text: words });
  const gone = (type: string) => `file:${type};bytes=70000;sha256=${"ab".repeat(32)}`;
  const stays = { type: "image_url", image_url: { url: "https://pictures.example/cat.png" } };
  const system = { role: "system", content: "Be short" };
  const content = [
    text("What is it?"),
    { type: "image_url", image_url: { url: gone("image/png") } },
    stays,
    { type: "input_audio", input_audio: { data: gone("audio/wav"), format: "wav" } },
  ];
  const input = { model: "svc/chat-1", stream: true, seed: 7, messages: [system, { role: "user", content }] };
  requests.mockResolvedValueOnce(Response.json({ input }));
  const load = vi.fn();
  const { result } = renderHook(() => useTweak(`gen_${"0".repeat(26)}`, plan, {}, load));
  await waitFor(() => expect(result.current).toMatch(/loaded; its 2 files were not kept/));
  const shown = [
    text("What is it?"),
    text("[Missing here: image/png, 70 kB. Add it again.]"),
    stays,
    text("[Missing here: audio/wav, 70 kB. Add it again.]"),
  ];
  const messages = [system, { role: "user", content: shown }];
  expect(load).toHaveBeenCalledExactlyOnceWith({ seed: 7, messages });
});
