import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { useState } from "react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Delivery } from "#contract/webhook.ts";
import { DeliveryTable } from "./delivery-table.tsx";

vi.mock("next/navigation", () => ({ useRouter: () => ({}), usePathname: () => "/" }));

const deliveries = ["a", "b", "c", "d", "e"].map(
  (id) =>
    ({ id, event_type: "prediction.succeeded", status: "failed", url: "https://a.example/" }) as Delivery,
);

function Log() {
  const [ids, set] = useState<ReadonlySet<string>>(new Set());
  return (
    <>
      <DeliveryTable label="Deliveries" deliveries={deliveries} selection={{ ids, set }} />
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
