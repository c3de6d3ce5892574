import { cleanup, fireEvent, render, screen, within } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { createCatalog } from "#gateway/catalog/load.ts";
import { exampleDraft } from "@/lib/schema-form/draft";
import { planForm } from "@/lib/schema-form/plan-form";
import { InputPane, type InputTab } from "./input-pane";
import type { useDraft } from "./use-draft";

const unmounted = vi.hoisted(() => vi.fn());
vi.mock("./form-tab", async () => {
  const { useEffect } = await import("react");
  return {
    FormTab() {
      useEffect(() => unmounted, []);
      return <p>The form</p>;
    },
  };
});

afterEach(cleanup);

const compiled = createCatalog().operation("svc/chat-1", "chat-completions");
if (!compiled) throw new Error("svc/chat-1 has no chat-completions");
const { model, operation } = compiled;
const plan = planForm(model, operation);
type DraftState = ReturnType<typeof useDraft>;
const draft = { draft: exampleDraft(plan, operation.example), restore: null } as DraftState;

function Pane({ tab, restore = null }: { tab: InputTab; restore?: DraftState["restore"] }) {
  const problems = [{ path: "/messages", field: "Messages", message: "Fill this in." }];
  return (
    <InputPane
      tab={tab}
      onTab={() => {}}
      plan={plan}
      operation={operation}
      draft={{ ...draft, restore }}
      body={null}
      baseUrl="https://example.com/v1"
      problems={problems}
      atFields={problems}
      summaryRef={null}
      presets={null}
      notice={null}
      onExample={() => {}}
      onUploading={() => {}}
      onUnreadable={() => () => {}}
    />
  );
}

it("keeps the form, and with it its uploads, behind the JSON", async () => {
  const { rerender } = render(<Pane tab="form" />);
  rerender(<Pane tab="json" />);
  expect(unmounted).not.toHaveBeenCalled();
  expect(screen.getByText("The form").closest("[hidden]")).not.toBeNull();
  expect(await screen.findByLabelText("Request body")).toBeTruthy();
  expect(within(screen.getByRole("tabpanel")).getByRole("alert")).toBe(
    document.querySelector("[role=alert]"),
  );
  rerender(<Pane tab="form" />);
  expect(unmounted).not.toHaveBeenCalled();
  expect(screen.queryByLabelText("Request body")).toBeNull();
});

it("keeps the focus beside Undo when that has done its work", () => {
  const { rerender } = render(<Pane tab="form" restore={() => rerender(<Pane tab="form" />)} />);
  const undo = screen.getByRole("button", { name: "Undo" });
  undo.focus();
  fireEvent.click(undo);
  expect(screen.queryByRole("button", { name: "Undo" })).toBeNull();
  expect(document.activeElement).toBe(screen.getByRole("button", { name: "Example" }));
});
