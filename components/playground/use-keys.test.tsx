import { cleanup, fireEvent, renderHook } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { useKeys } from "./use-keys.ts";

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

it("lets Esc close an open menu first, and then stops the stream", () => {
  const onStop = vi.fn();
  renderHook(() => useKeys({ onRun: () => {}, onStop }));
  // This environment has no popovers.
  const query = vi.spyOn(document, "querySelector");
  query.mockImplementation((selector) => (selector.includes(":popover-open") ? document.body : null));
  fireEvent.keyDown(document.body, { key: "Escape" });
  expect(onStop).not.toHaveBeenCalled();
  query.mockImplementation(() => null);
  fireEvent.keyDown(document.body, { key: "Escape" });
  expect(onStop).toHaveBeenCalledOnce();
});
