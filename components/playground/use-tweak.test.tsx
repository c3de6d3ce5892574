import { cleanup, renderHook, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { FormPlan } from "@/lib/schema-form/plan";
import { useTweak } from "./use-tweak.ts";

const router = vi.hoisted(() => ({ replace: vi.fn() }));
vi.mock("next/navigation", () => ({ useRouter: () => router, usePathname: () => "/" }));
const plan: FormPlan = { modelId: "svc/chat-1", fields: [], fixed: {}, hidden: [] };
const requests = vi.fn<typeof fetch>();

beforeEach(() => {
  router.replace.mockReset();
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
  const { result } = renderHook(() => useTweak("pred_1", plan, load));
  await waitFor(() => expect(result.current).toBe("Input of pred_1 loaded."));
  expect(load).toHaveBeenCalledExactlyOnceWith({ prompt: "Hi" });
  const address = "/playground/svc/chat-1/chat-completions?x=2";
  expect(router.replace).toHaveBeenCalledExactlyOnceWith(address, { scroll: false });
});

it("keeps the address when the input could not be loaded", async () => {
  requests.mockResolvedValueOnce(Response.json({}, { status: 502 }));
  const { result } = renderHook(() => useTweak("pred_1", plan, vi.fn()));
  await waitFor(() => expect(result.current).toContain("could not be loaded"));
  expect(router.replace).not.toHaveBeenCalled();
});
