import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { RowSteps } from "./neighbours.tsx";
import { RowAnchor } from "./row-anchor.tsx";

const navigation = vi.hoisted(() => ({ path: "/", push: vi.fn() }));
vi.mock("next/navigation", () => ({
  useRouter: () => ({ push: navigation.push }),
  usePathname: () => navigation.path,
}));
afterEach(() => {
  cleanup();
  navigation.push.mockReset();
});

function showList(address: string) {
  window.history.replaceState(null, "", address);
  render(
    <>
      <RowAnchor href="/predictions/pred_1?status=failed">first</RowAnchor>
      <RowAnchor href="/predictions/pred_2?status=failed">second</RowAnchor>
    </>,
  );
}

function showPage(path: string, older: string | null = null) {
  navigation.path = path;
  render(<RowSteps noun="prediction" list="/predictions?status=failed" newer={null} older={older} />);
}

const pressEscape = () => fireEvent.keyDown(document.body, { key: "Escape" });

it("Esc returns to the page of the list from which the reader came, and to the row in it", () => {
  showList("/predictions?status=failed&after=pred_9");
  fireEvent.click(screen.getByText("first"));
  cleanup();
  showPage("/predictions/pred_1", "/predictions/pred_2");
  fireEvent.keyDown(document.body, { key: "j" });
  cleanup();
  showPage("/predictions/pred_2");
  pressEscape();
  expect(navigation.push).toHaveBeenLastCalledWith("/predictions?status=failed&after=pred_9");
  cleanup();
  showList("/predictions?status=failed&after=pred_9");
  expect(document.activeElement).toBe(screen.getByText("second"));
});

it("Esc goes to the filtered list from a page that was opened by its address", () => {
  showPage("/predictions/pred_7");
  pressEscape();
  expect(navigation.push).toHaveBeenLastCalledWith("/predictions?status=failed");
});

it("Esc does nothing while a field or a dialog needs it", () => {
  showPage("/predictions/pred_1");
  render(<input aria-label="Search" />);
  fireEvent.keyDown(screen.getByLabelText("Search"), { key: "Escape" });
  const dialog = document.createElement("dialog");
  dialog.setAttribute("open", "");
  document.body.append(dialog);
  pressEscape();
  dialog.remove();
  expect(navigation.push).not.toHaveBeenCalled();
});
