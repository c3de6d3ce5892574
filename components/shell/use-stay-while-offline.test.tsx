import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { stayedEvent } from "@/components/ui/page/link";
import { ToastProvider } from "@/components/ui/toast";
import { useStayWhileOffline } from "./use-stay-while-offline.ts";

function Page({ offline }: { offline: boolean }) {
  useStayWhileOffline(offline);
  return <a href="/usage">Usage</a>;
}

/** Whether a click on the link would leave the page. */
function leaves(offline: boolean): boolean {
  render(
    <ToastProvider>
      <Page offline={offline} />
    </ToastProvider>,
  );
  return screen
    .getByText("Usage")
    .dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
}

afterEach(cleanup);

it("keeps the page while there is no connection, and shows why", async () => {
  expect(leaves(true)).toBe(false);
  expect(await screen.findByText("You are offline")).toBeTruthy();
});

it("shows why a page that was not opened by a link was not opened", async () => {
  leaves(true);
  window.dispatchEvent(new Event(stayedEvent));
  expect(await screen.findAllByText("You are offline")).toHaveLength(2);
});

it("does not affect links otherwise", () => {
  expect(leaves(false)).toBe(true);
});
