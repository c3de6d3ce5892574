import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { BulkResults } from "./bulk-retry-dialog.tsx";

afterEach(cleanup);

it("shows after Stop how many deliveries were queued and how many were not retried", () => {
  render(
    <BulkResults
      outcome={{
        end: "stopped",
        rows: [],
        queued: 25,
        refused: 0,
        left: 142,
        waitingSeconds: null,
        error: null,
      }}
    />,
  );
  expect(screen.getByRole("status").textContent).toContain("Queued 25, skipped 0");
  expect(screen.getByRole("status").textContent).toContain("142 were not retried");
});
