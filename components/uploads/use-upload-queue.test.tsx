import { act, cleanup, renderHook, waitFor } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { localFailure } from "@/lib/gateway/result";
import { useUploadQueue } from "./use-upload-queue.ts";

const uploadFile = vi.hoisted(() => vi.fn());
vi.mock("@/lib/browser/upload-file", () => ({ uploadFile }));

afterEach(cleanup);

function reloadIsAsked(): boolean {
  const event = new Event("beforeunload", { cancelable: true });
  window.dispatchEvent(event);
  return event.defaultPrevented;
}

it("asks before a reload while a file is being sent, and only then", async () => {
  let end = (_result: unknown) => {};
  uploadFile.mockReturnValue(
    new Promise((resolve) => {
      end = resolve;
    }),
  );
  const { result } = renderHook(() => useUploadQueue(() => {}));
  expect(reloadIsAsked()).toBe(false);
  act(() => result.current.add([new File(["x"], "a.png")]));
  expect(reloadIsAsked()).toBe(true);
  await waitFor(() => expect(uploadFile).toHaveBeenCalled());
  act(() => end({ ok: false, error: localFailure("offline", "No connection.") }));
  await waitFor(() => expect(reloadIsAsked()).toBe(false));
});
