import { cleanup, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { PreferencesProvider } from "@/components/shell/preferences";
import { defaultPreferences } from "@/lib/preferences";
import { useChangeLanguage } from "./use-language.ts";

const refresh = vi.fn();
vi.mock("@/components/ui/page/link", () => ({ usePageRouter: () => ({ refresh }) }));
afterEach(cleanup);

function Choice() {
  const change = useChangeLanguage();
  return (
    <button type="button" onClick={() => void Promise.resolve().then(() => change(null))}>
      As the browser asks
    </button>
  );
}

test("the page is read again after the cookie says the new language", async () => {
  render(
    <PreferencesProvider initial={{ ...defaultPreferences, language: "zh-CN" }}>
      <Choice />
    </PreferencesProvider>,
  );
  expect(document.cookie).toContain("zh-CN");
  const seen: string[] = [];
  refresh.mockImplementation(() => void seen.push(document.cookie));
  await userEvent.click(screen.getByRole("button"));
  await vi.waitFor(() => expect(seen.length).toBe(1));
  expect(seen[0]).toContain("gatehouse-preferences");
  expect(seen[0]).not.toContain("zh-CN");
});
