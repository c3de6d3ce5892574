import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { afterEach, expect, it, vi } from "vitest";
import type { CatalogOperation } from "#contract/catalog.ts";
import { createCatalog } from "#gateway/models/catalog/load.ts";
import { exampleDraft } from "@/lib/schema-form/draft";
import type { JsonObject } from "@/lib/schema-form/json";
import type { FormPlan } from "@/lib/schema-form/plan";
import { planForm } from "@/lib/schema-form/plan-form";
import { english } from "@/scripts/testing/english";
import { SchemaForm } from "../schema-form.tsx";

const ids = new Map([
  ["cat.png", "upl_01jd0000000000000000000001"],
  ["dog.png", "upl_01jd0000000000000000000002"],
]);
vi.mock("@/lib/browser/send-file", () => ({
  sendFile: async ({ name }: File) => {
    const id = ids.get(name) ?? "";
    return { ok: true, data: { id, reference: `upload://${id}`, filename: name, status: "pending" } };
  },
}));

afterEach(cleanup);

const client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } });
const catalog = createCatalog();
const files = [...ids.keys()].map((name) => new File(["x"], name, { type: "image/png" }));
const [cat, dog] = [...ids.values()].map((id) => `upload://${id}`);

interface PageProps {
  operation: CatalogOperation;
  plan: FormPlan;
  state: { value: JsonObject };
}

function Page({ operation, plan, state }: PageProps) {
  const [value, setValue] = useState(state.value);
  const change = (next: JsonObject) => {
    state.value = next;
    setValue(next);
  };
  return (
    <SchemaForm
      baseUrl="https://gateway.example/v1"
      example={operation.example}
      plan={plan}
      value={value}
      problems={[]}
      onChange={change}
    />
  );
}

function show(modelId: string, apiType: string): { value: JsonObject } {
  const compiled = catalog.operation(modelId, apiType);
  if (!compiled) throw new Error(`${modelId} has no ${apiType}`);
  const { model, operation } = compiled;
  const plan = planForm(model, operation, english("inputForm"));
  const state = { value: exampleDraft(plan, operation.example).value ?? {} };
  render(
    <QueryClientProvider client={client}>
      <Page operation={operation} plan={plan} state={state} />
    </QueryClientProvider>,
  );
  return state;
}

it("the first files of a person replace the example, later ones come after them", async () => {
  const state = show("svc/img-gen-a-1", "image-editing");
  const field = within(screen.getByRole("group", { name: /^Image/ }));
  expect(field.getByText("Example image")).toBeTruthy();
  await userEvent.upload(field.getByLabelText("Image", { selector: "input" }), files);
  await vi.waitFor(() => expect(state.value.image).toEqual([cat, dog]));
  expect(field.queryByText("Example image")).toBeNull();
  await userEvent.upload(field.getByLabelText("Image", { selector: "input" }), files.slice(0, 1));
  await vi.waitFor(() => expect(state.value.image).toEqual([cat, dog, cat]));
});

it("a file of a person replaces the example at its own position, without removing that first", async () => {
  const state = show("svc/swap-1", "image-editing");
  const [first] = screen.getAllByLabelText(/^1\. /, { selector: "input" });
  await userEvent.upload(first as HTMLElement, files.slice(0, 1));
  await vi.waitFor(() => expect(state.value.image).toEqual([cat, expect.stringMatching(/^data:/)]));
});
