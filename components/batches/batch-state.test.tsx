import { render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { BatchBar } from "./batch-state.tsx";

it("fills only the part of the rows that ran, and shows canceled rows separately", () => {
  const counts = { total: 1000, queued: 0, running: 0, succeeded: 369, failed: 2, canceled: 629 };
  const { container } = render(<BatchBar counts={counts} label="Rows of this batch" />);
  const bar = screen.getByRole("progressbar", { name: "Rows of this batch" });
  expect([bar.getAttribute("aria-valuenow"), bar.getAttribute("aria-valuemax")]).toEqual(["371", "1000"]);
  const widths = [...container.querySelectorAll<HTMLElement>("[data-part]")].map(({ dataset, style }) => [
    dataset.part,
    style.width,
  ]);
  expect(widths).toEqual([
    ["succeeded", "36.9%"],
    ["failed", "0.2%"],
    ["canceled", "62.9%"],
  ]);
});
