import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { hydrateRoot } from "react-dom/client";
import { renderToString } from "react-dom/server";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Delivery } from "#contract/webhook.ts";
import { selectionBarId } from "@/components/ui/list/rows-table";
import { DeliveryTable } from "./delivery-table.tsx";

vi.mock("next/navigation", () => ({ useRouter: () => ({}), usePathname: () => "/" }));

const deliveries = ["a", "b", "c", "d", "e"].map(
  (id) =>
    ({
      ...{ id, event_type: "prediction.succeeded", status: "failed", url: "https://a.example/" },
      retried_as: id === "e" ? "dlv_2" : null,
    }) as Delivery,
);

function Log() {
  const [ids, set] = useState<ReadonlySet<string>>(new Set());
  return (
    <>
      <DeliveryTable label="Deliveries" deliveries={deliveries} selection={{ ids, set }} />
      <div id={selectionBarId}>
        <button type="button">Do it</button>
      </div>
      <output>{[...ids].sort().join("")}</output>
    </>
  );
}

const box = (id: string) => screen.getByLabelText(`Select prediction.succeeded ${id}`);
const selected = () => screen.getByRole("status").textContent;

beforeEach(() => {
  render(<Log />);
});
afterEach(cleanup);

it("selects the whole range with Shift, in either direction", () => {
  fireEvent.click(box("b"));
  fireEvent.click(box("d"), { shiftKey: true });
  expect(selected()).toBe("bcd");
  fireEvent.click(box("a"), { shiftKey: true });
  expect(selected()).toBe("abcd");
});

it("clears the whole range with Shift when its end is cleared", () => {
  fireEvent.click(screen.getByLabelText("Select all deliveries on this page"));
  fireEvent.click(box("b"));
  fireEvent.click(box("d"), { shiftKey: true });
  expect(selected()).toBe("ae");
});

it("selects one row at a time without Shift", () => {
  fireEvent.click(box("a"));
  fireEvent.click(box("e"));
  expect(selected()).toBe("ae");
});

it("walks with the arrow keys, selects more with Shift, and goes to the actions with Enter", async () => {
  const keys = userEvent.setup();
  box("b").focus();
  await keys.keyboard("{ArrowDown}");
  expect(document.activeElement).toBe(box("c"));
  expect(selected()).toBe("");
  await keys.keyboard("{Shift>}{ArrowDown}{ArrowDown}{ArrowDown}{/Shift}");
  expect(selected()).toBe("cde");
  await keys.keyboard("{ArrowUp}[Space]");
  expect(selected()).toBe("ce");
  await keys.keyboard("{Enter}");
  expect(document.activeElement).toBe(screen.getByRole("button", { name: "Do it" }));
});

it("retries each failed delivery but the one that was retried since", () => {
  const disabled = screen
    .getAllByRole("button", { name: "Retry" })
    .map((button) => button.getAttribute("aria-disabled"));
  expect(disabled).toEqual([null, null, null, null, "true"]);
});

it("is rendered the same in the browser as on the server when a rate limit begins to hold a delivery back", async () => {
  const dueMs = Date.parse("2026-11-20T10:00:00Z");
  const delivery = {
    ...deliveries[0],
    waits_for: "rate",
    next_attempt_at: "2026-11-20T10:00:00Z",
  } as Delivery;
  const page = <DeliveryTable label="Held back" deliveries={[delivery]} />;
  const container = document.body.appendChild(document.createElement("div"));
  const wrong = vi.fn();
  vi.useFakeTimers({ now: dueMs + 2_000 });
  try {
    container.innerHTML = renderToString(page);
    vi.setSystemTime(dueMs + 4_000);
    const root = await act(() => hydrateRoot(container, page, { onRecoverableError: wrong }));
    expect(container.textContent).toContain("waits for the rate limit");
    expect(wrong).not.toHaveBeenCalled();
    act(() => root.unmount());
  } finally {
    vi.useRealTimers();
    container.remove();
  }
});
