import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useMemo, useState } from "react";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import type { JsonObject } from "@/lib/schema-form/json";
import { planForm } from "@/lib/schema-form/plan-form";
import { importedShapes } from "@/lib/schema-form/testing/imported-shapes";
import { english } from "@/scripts/testing/english";
import { useProblems } from "../use-problems.tsx";
import { SchemaForm } from "./schema-form.tsx";

beforeAll(() =>
  Promise.all([
    import("./fields/items-field.tsx"),
    import("./fields/group-field.tsx"),
    import("./late-fields/map-field.tsx"),
    import("./late-fields/moment-field.tsx"),
    import("./late-fields/union-field.tsx"),
    import("./late-fields/key-rows.tsx"),
    import("./late-fields/search-choice.tsx"),
  ]),
);
afterEach(cleanup);

interface State {
  value: JsonObject;
  changes: number;
  held: readonly string[];
}

function Page({ shape, state }: { shape: (typeof importedShapes)[number]; state: State }) {
  const [value, setValue] = useState(state.value);
  const plan = useMemo(() => planForm(shape.model, shape.operation, english("inputForm")), [shape]);
  const check = useProblems(value, shape.operation, plan);
  state.held = check.atFields.map(({ field, message }) => `${field}: ${message}`);
  return (
    <SchemaForm
      baseUrl="https://gateway.example/v1"
      plan={plan}
      value={value}
      problems={check.atFields}
      onChange={(next) => {
        state.value = next;
        state.changes += 1;
        setValue(next);
      }}
      onUnreadable={check.onUnreadable}
    />
  );
}

async function show(name: RegExp, value?: JsonObject) {
  const shape = importedShapes.find((each) => name.test(each.name));
  if (!shape) throw new Error(`no shape ${name}`);
  const state: State = { value: value ?? shape.operation.example, changes: 0, held: [] };
  render(
    <QueryClientProvider client={new QueryClient()}>
      <Page shape={shape} state={state} />
    </QueryClientProvider>,
  );
  const plan = planForm(shape.model, shape.operation, english("inputForm"));
  // Rare controls load late.
  await waitFor(() => {
    for (const field of plan.fields)
      expect(document.getElementById(`field-${field.name}`), field.name).not.toBeNull();
  });
  return state;
}

const group = (name: string | RegExp) => within(screen.getByRole("group", { name }));

describe.each(importedShapes)("$name", ({ name, operation }) => {
  it.each([
    ["its example", operation.example],
    ["nothing", {}],
  ])("draws %s with a name for every control, and changes nothing by itself", async (_what, value) => {
    const state = await show(new RegExp(name.slice(0, 12)), value as JsonObject);
    expect(state.changes).toBe(0);
    expect(state.held).toEqual([]);
    const names = new Set<string>();
    for (const control of document.querySelectorAll<HTMLElement>("input, select, textarea, button")) {
      const labels = (control as HTMLInputElement).labels;
      const label = control.getAttribute("aria-label") || labels?.[0]?.textContent || control.textContent;
      expect(label?.trim(), control.outerHTML.slice(0, 200)).toBeTruthy();
      if (control.id) {
        expect(names.has(control.id), control.id).toBe(false);
        names.add(control.id);
      }
    }
  });
});

it("changes between a preset and a size, and restores the value of each", async () => {
  const state = await show(/fal image/, { prompt: "A cat" });
  const size = group(/^Image Size/);
  await userEvent.click(size.getByLabelText("Image size"));
  await userEvent.type(await size.findByLabelText(/^Width/), "640");
  expect(state.value).toEqual({ prompt: "A cat", image_size: { width: 640 } });
  await userEvent.click(size.getByLabelText("From a list"));
  await userEvent.selectOptions(await size.findByRole("combobox"), "Square hd");
  expect(state.value.image_size).toBe("square_hd");
  await userEvent.click(size.getByLabelText("Image size"));
  expect(state.value.image_size).toEqual({ width: 640 });
});

it("fills in lists inside lists, and moves, removes and restores items by keyboard", async () => {
  const state = await show(/fal image/, { prompt: "A cat" });
  const user = userEvent.setup();
  const press = async (name: string) => {
    screen.getAllByRole("button", { name })[0]?.focus();
    await user.keyboard("{Enter}");
  };
  await press("Add controlnet union");
  await user.type(screen.getByLabelText(/^Path/), "union");
  await press("Add control");
  await user.click(screen.getByLabelText("Depth"));
  await press("Add control");
  expect(state.value.controlnet_unions).toEqual([{ path: "union", controls: [{ mode: "depth" }, {}] }]);
  await press("Move Control 2 up");
  expect(state.value.controlnet_unions).toEqual([{ path: "union", controls: [{}, { mode: "depth" }] }]);
  await press("Remove Control 2");
  expect(state.value.controlnet_unions).toEqual([{ path: "union", controls: [{}] }]);
  expect(document.activeElement?.textContent).toBe("Undo");
  await user.keyboard("{Enter}");
  expect(state.value.controlnet_unions).toEqual([{ path: "union", controls: [{}, { mode: "depth" }] }]);
});

it("edits a part as JSON, names the line of a fault, and loses nothing on the way back", async () => {
  const state = await show(/video model/);
  const camera = group(/^Camera/);
  await userEvent.click(camera.getByRole("button", { name: "Edit Camera as JSON" }));
  const box = screen.getByLabelText<HTMLTextAreaElement>(/^Camera/);
  expect(JSON.parse(box.value)).toEqual(state.value.camera);
  await userEvent.clear(box);
  await userEvent.type(box, '{{"movement": {{"kind": "pan"},{Enter}"odd": tru}');
  expect(await screen.findByText(/Line 2, column 8/)).toBeTruthy();
  expect(screen.getByRole("button", { name: "Edit as form" })).toHaveProperty("disabled", true);
  expect(state.held.join()).toMatch(/^Camera: /);
  await userEvent.type(box, "{Backspace}e}", {
    initialSelectionStart: box.value.length,
    initialSelectionEnd: box.value.length,
  });
  await waitFor(() => expect(state.held).toEqual([]));
  await userEvent.click(screen.getByRole("button", { name: "Edit as form" }));
  await userEvent.type(group(/^Movement/).getByLabelText("Degrees"), "45");
  expect(state.value.camera).toEqual({ movement: { kind: "pan", degrees: 45 }, odd: true });
});

it("adds free keys, renames them in place, and refuses a duplicate", async () => {
  const state = await show(/OpenAI-like/, { input: "Hi", metadata: { customer: "7" } });
  const metadata = group("Metadata");
  await userEvent.click(metadata.getByRole("button", { name: "Add key" }));
  const key = metadata.getByLabelText("Key 2");
  await userEvent.clear(key);
  await userEvent.type(key, "customer");
  expect(metadata.getByText("Enter a key that is not used yet.")).toBeTruthy();
  await userEvent.type(key, "_id");
  await userEvent.type(group("Metadata 2").getByLabelText(/^Value/), "x");
  expect(state.value.metadata).toEqual({ customer: "7", customer_id: "x" });
  await userEvent.click(metadata.getByRole("button", { name: "Remove customer" }));
  await userEvent.click(metadata.getByRole("button", { name: "Undo" }));
  expect(state.value.metadata).toEqual({ customer: "7", customer_id: "x" });
});

it("finds one of many values while the user types", async () => {
  const state = await show(/speech model/, { text: "Hello" });
  const voice = await screen.findByRole("combobox", { name: /^Voice/ });
  voice.focus();
  await userEvent.keyboard("voice 11{ArrowDown}{Enter}");
  expect(state.value.voice).toBe("Voice 110");
  expect((voice as HTMLInputElement).value).toBe("Voice 110");
  await userEvent.keyboard("{ArrowDown}nothing");
  expect(screen.getByText("No value matches.")).toBeTruthy();
  await userEvent.keyboard("{Escape}");
  expect(state.value.voice).toBe("Voice 110");
});

it("accepts a day and a time in the reader's zone", async () => {
  const state = await show(/speech model/, { text: "Hello", starts_at: "tomorrow" });
  await userEvent.type(screen.getByLabelText("Publish on"), "2026-03-31");
  const starts = screen.getByLabelText<HTMLInputElement>("Starts at");
  expect([starts.type, starts.value]).toEqual(["text", "tomorrow"]);
  await userEvent.clear(starts);
  await userEvent.type(screen.getByLabelText("Starts at"), "2026-03-31T10:00:00");
  const moment = new Date("2026-03-31T10:00:00").toISOString();
  expect(state.value).toEqual({ text: "Hello", publish_on: "2026-03-31", starts_at: moment });
});
