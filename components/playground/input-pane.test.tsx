import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen, within } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { createCatalog } from "#gateway/models/catalog/load.ts";
import { exampleDraft } from "@/lib/schema-form/draft";
import { planForm } from "@/lib/schema-form/plan-form";
import { english } from "@/scripts/testing/english";
import { FormTab } from "./form-tab.tsx";
import { InputPane } from "./input-pane.tsx";
import { type InputTab, PlaygroundContext, type PlaygroundState, type useDraft } from "./use-playground.ts";

afterEach(cleanup);

const compiled = createCatalog().operation("svc/chat-1", "chat-completions");
if (!compiled) throw new Error("svc/chat-1 has no chat-completions");
const { model, operation } = compiled;
const plan = planForm(model, operation, english("inputForm"));
type DraftState = ReturnType<typeof useDraft>;
const draft = { draft: exampleDraft(plan, operation.example), restore: null } as DraftState;
const problems = [{ path: "/messages", field: "Messages", message: "Fill this in." }];
const state = {
  model,
  operation,
  plan,
  accountId: "acc_1",
  baseUrl: "https://example.com/v1",
  body: null,
  check: { problems, atFields: problems, onUnreadable: () => () => {} },
  notice: null,
  summary: { current: null },
  setInputTab() {},
  onUploading() {},
  showExample() {},
  views: { form: <FormTab /> },
  formUploads: 0,
  onFormUploading() {},
};

function Pane({ tab, restore = null }: { tab: InputTab; restore?: DraftState["restore"] }) {
  const shown = { ...state, inputTab: tab, draft: { ...draft, restore } } as unknown as PlaygroundState;
  return (
    <QueryClientProvider client={client}>
      <PlaygroundContext value={shown}>
        <InputPane />
      </PlaygroundContext>
    </QueryClientProvider>
  );
}
const client = new QueryClient();

it("keeps the form mounted behind the JSON tab, so that its uploads continue", async () => {
  const { rerender } = render(<Pane tab="form" />);
  const prompt = await screen.findByRole("textbox", { name: "Content of message 1" });
  rerender(<Pane tab="json" />);
  expect(prompt.closest("[hidden]")).not.toBeNull();
  expect(await screen.findByLabelText("Request body")).toBeTruthy();
  expect(within(screen.getByRole("tabpanel")).getByRole("alert")).toBe(
    document.querySelector("[role=tabpanel]:not([hidden]) [role=alert]"),
  );
  rerender(<Pane tab="form" />);
  // The elements are the same, so no part of the form was created again.
  expect(screen.getByRole("textbox", { name: "Content of message 1" })).toBe(prompt);
  expect(screen.queryByLabelText("Request body")).toBeNull();
});

it("moves the focus beside Undo after Undo was used", () => {
  const { rerender } = render(<Pane tab="form" restore={() => rerender(<Pane tab="form" />)} />);
  const undo = screen.getByRole("button", { name: "Undo" });
  undo.focus();
  fireEvent.click(undo);
  expect(screen.queryByRole("button", { name: "Undo" })).toBeNull();
  expect(document.activeElement).toBe(screen.getByRole("button", { name: "Example" }));
});
