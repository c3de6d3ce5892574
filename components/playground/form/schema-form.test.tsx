import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { afterEach, describe, expect, it } from "vitest";
import { createCatalog } from "#gateway/models/catalog/load.ts";
import { exampleDraft, toRequest } from "@/lib/schema-form/draft";
import type { JsonObject } from "@/lib/schema-form/json";
import type { FormPlan } from "@/lib/schema-form/plan";
import { planForm } from "@/lib/schema-form/plan-form";
import type { Problem } from "@/lib/schema-form/problem-messages";
import { problemsOf } from "@/lib/schema-form/validator";
import { english } from "@/scripts/testing/english";
import { SchemaForm } from "./schema-form.tsx";

const words = english("inputForm");

afterEach(cleanup);

const catalog = createCatalog();
const everyOperation = catalog
  .list()
  .data.flatMap((model) => model.operations.map((operation) => ({ model, operation, name: operation.id })));

interface State {
  value: JsonObject;
  changes: number;
}

function Page({ plan, problems, state }: { plan: FormPlan; problems: Problem[]; state: State }) {
  const [value, setValue] = useState(state.value);
  const change = (next: JsonObject) => {
    state.value = next;
    state.changes += 1;
    setValue(next);
  };
  return (
    <SchemaForm
      baseUrl="https://gateway.example/v1"
      plan={plan}
      value={value}
      problems={problems}
      onChange={change}
    />
  );
}

function show(modelId: string, apiType: string, start?: JsonObject, problems: Problem[] = []) {
  const compiled = catalog.operation(modelId, apiType);
  if (!compiled) throw new Error(`${modelId} has no ${apiType}`);
  const { model, operation } = compiled;
  const plan = planForm(model, operation, words);
  const state: State = { value: start ?? exampleDraft(plan, operation.example).value ?? {}, changes: 0 };
  render(
    <QueryClientProvider client={new QueryClient()}>
      <Page plan={plan} problems={problems} state={state} />
    </QueryClientProvider>,
  );
  return { state, plan, operation };
}

describe.each(everyOperation)("$name", ({ model, operation }) => {
  it("draws every field with a name and changes nothing by itself", async () => {
    const { state, plan } = show(model.id, operation.api_type);
    const before = JSON.stringify(state.value);
    expect(state.changes).toBe(0);
    expect(JSON.stringify(state.value)).toBe(before);
    // Rare controls load late.
    await waitFor(() => {
      for (const field of plan.fields)
        expect(document.getElementById(`field-${field.name}`), field.name).not.toBeNull();
    });
    for (const control of document.querySelectorAll<HTMLElement>("input, select, textarea, button")) {
      const labels = (control as HTMLInputElement).labels;
      const name = control.getAttribute("aria-label") || labels?.[0]?.textContent || control.textContent;
      expect(name?.trim(), control.outerHTML.slice(0, 200)).toBeTruthy();
    }
  });

  it("also draws an empty draft, and shows each problem at its field", async () => {
    const plan = planForm(model, operation, words);
    const problems = problemsOf(toRequest({}, plan), operation, plan, words);
    show(model.id, operation.api_type, {}, problems);
    for (const problem of problems) {
      const id = `field-${problem.path.slice(1)}`;
      await waitFor(() => expect(document.getElementById(id)).not.toBeNull());
      const field = document.getElementById(id);
      const described = field?.getAttribute("aria-describedby") ?? "";
      const texts = described.split(" ").map((id) => document.getElementById(id)?.textContent ?? "");
      expect(texts.join(" "), problem.path).toMatch(/required/i);
    }
  });
});

it("keeps keys that it does not show", async () => {
  const { state } = show("svc/tts-b-1", "text-to-speech", { input: "Hi", later: { deep: [1] } });
  await userEvent.type(screen.getByLabelText(/^Text/), " there");
  expect(state.value).toEqual({ input: "Hi there", later: { deep: [1] } });
});

it("removes the key when the user clears a field", async () => {
  const { state } = show("svc/tts-b-1", "text-to-speech", { input: "Hi", voice: "Cherry" });
  await userEvent.clear(screen.getByLabelText(/^Voice/));
  expect(state.value).toEqual({ input: "Hi" });
});

it("shows required yes-or-no questions without a preset answer", async () => {
  const { state } = show("svc/adult-vid-1", "video-generation", {});
  const question = screen.getByRole("group", { name: /^Audio/ });
  const answers = within(question).getAllByRole<HTMLInputElement>("radio");
  expect(answers.map((answer) => answer.checked)).toEqual([false, false]);
  await userEvent.click(within(question).getByLabelText("No"));
  expect(state.value).toEqual({ audio: false });
});

it("sends -1 for the smart duration and restores the length", async () => {
  const { state } = show("svc/adult-vid-1", "video-generation", { duration: 12 });
  const smart = screen.getByLabelText("Let the model decide");
  await userEvent.click(smart);
  expect(state.value).toEqual({ duration: -1 });
  await userEvent.click(smart);
  expect(state.value).toEqual({ duration: 12 });
});

it("adds and removes the items of a list with named buttons", async () => {
  const { state } = show("svc/adult-i2v-3", "video-generation", { loras: [{ url: "https://a", scale: 1 }] });
  await userEvent.click((await screen.findAllByRole("button", { name: "Add LoRA" }))[0] as HTMLElement);
  expect(state.value.loras).toEqual([{ url: "https://a", scale: 1 }, {}]);
  const second = screen.getByRole("group", { name: "LoRA 2" });
  await userEvent.type(within(second).getByLabelText(/^URL/), "x");
  expect(state.value.loras).toEqual([{ url: "https://a", scale: 1 }, { url: "x" }]);
  await userEvent.click(screen.getByRole("button", { name: "Remove LoRA 1" }));
  expect(state.value).toEqual({ loras: [{ url: "x" }] });
});

it("swaps target and source", async () => {
  const images = ["https://example.com/target.png", "https://example.com/source.png"];
  const { state } = show("svc/swap-1", "image-editing", { image: images });
  expect(screen.getByText("2. Source (the face to insert)")).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Swap" }));
  expect(state.value.image).toEqual([...images].reverse());
});

it("changes the role of a message without losing its text", async () => {
  const { state } = show("svc/chat-1", "chat-completions", { messages: [{ role: "user", content: "Hi" }] });
  await userEvent.selectOptions(screen.getByLabelText("Role of message 1"), "assistant");
  await userEvent.click(screen.getByRole("button", { name: "Add tool call to message 1" }));
  await userEvent.type(screen.getByLabelText(/^Function name/), "look_up");
  expect(state.value.messages).toEqual([
    {
      role: "assistant",
      content: "Hi",
      tool_calls: [{ id: "call_1", type: "function", function: { name: "look_up", arguments: "{}" } }],
    },
  ]);
  await userEvent.click(screen.getByRole("button", { name: "Add message" }));
  expect(state.value.messages).toMatchObject([{}, { role: "tool", tool_call_id: "call_1" }]);
});

it("shows a value as JSON if its control cannot show it", async () => {
  const parts = [{ role: "user", content: [{ type: "text", text: "Hi" }] }];
  const { state } = show("svc/chat-2", "chat-completions", { messages: parts, stream: true });
  const box = screen.getByLabelText<HTMLTextAreaElement>(/^Messages/);
  expect(JSON.parse(box.value)).toEqual(parts);
  expect(state.changes).toBe(0);
});
