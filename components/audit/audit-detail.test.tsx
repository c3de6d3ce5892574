import { render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { AuditDetail } from "./audit-detail.tsx";

it("shows that an output is kept without end", () => {
  const { rerender } = render(<AuditDetail detail={{ model: "svc/img-gen-b", kept_until: null }} />);
  expect(screen.getByText("kept").nextSibling?.textContent).toBe("without end");
  rerender(<AuditDetail detail={{ kept_until: "2026-12-01T00:00:00Z" }} />);
  expect(screen.getByText("kept until").nextSibling?.textContent).toBe("2026-12-01T00:00:00Z");
});

it("says what a change says only once, and leaves out facts without a value", () => {
  const detail = {
    name: "gpt-4o",
    models: [],
    prefix: null,
    before: null,
    after: { name: "gpt-4o", models: ["a/b"] },
  };
  const { container } = render(<AuditDetail detail={detail} />);
  expect(container.textContent).toBe("name gpt-4omodels a/b");
});
