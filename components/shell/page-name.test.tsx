import { act, cleanup, renderHook } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { usePageName } from "./page-name.ts";
import { useNamedPage } from "./use-named-page.ts";

afterEach(cleanup);

it("names the page's title, also after the router has set it again, and gives it back", async () => {
  document.title = "";
  const named = renderHook(() => useNamedPage("Harbours  at dawn"));
  const shown = renderHook(() => usePageName());
  expect(shown.result.current).toBe("Harbours  at dawn");
  await act(async () => {
    document.title = "Playground · Gatehouse";
  });
  expect(document.title).toMatch(/^Harbours +at dawn · Gatehouse$/);
  named.unmount();
  expect(document.title).toBe("Playground · Gatehouse");
});
