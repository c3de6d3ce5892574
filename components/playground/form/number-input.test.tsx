import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { useState } from "react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createCatalog } from "#gateway/models/catalog/load.ts";
import { exampleDraft, toRequest } from "@/lib/schema-form/draft";
import type { JsonObject } from "@/lib/schema-form/json";
import { planForm } from "@/lib/schema-form/plan-form";
import { english } from "@/scripts/testing/english";
import { ErrorSummary, useProblems } from "../use-problems.tsx";
import { SchemaForm } from "./schema-form.tsx";

const compiled = createCatalog().operation("svc/adult-vid-1", "video-generation");
if (!compiled) throw new Error("svc/adult-vid-1 has no video-generation");
const { model, operation } = compiled;
const plan = planForm(model, operation, english("inputForm"));
const example = exampleDraft(plan, operation.example).value;
const onRun = vi.fn();
const fix = "Enter a number or leave the field empty.";

beforeEach(() => onRun.mockReset());
afterEach(cleanup);

function Page() {
  const [value, setValue] = useState<JsonObject>({ ...example, seed: 12 });
  const body = toRequest(value, plan);
  const check = useProblems(body, operation, plan);
  return (
    <>
      <ErrorSummary problems={check.problems} onGoTo={() => {}} />
      <SchemaForm
        baseUrl="https://gateway.example/v1"
        plan={plan}
        value={value}
        problems={check.atFields}
        onChange={setValue}
        onUnreadable={check.onUnreadable}
      />
      <button type="button" onClick={() => check.check(body).length === 0 && onRun(body)}>
        Run
      </button>
      <button type="button" onClick={() => setValue({ ...value, seed: 7 })}>
        Set
      </button>
    </>
  );
}

/** Types like a browser, in which an invalid number reads as an empty text. */
function type(text: string) {
  const seed = screen.getByLabelText<HTMLInputElement>(/^Seed/);
  const badInput = text !== "" && Number.isNaN(Number(text));
  const prototype = Object.getPrototypeOf(seed.validity);
  Object.defineProperty(seed, "validity", {
    configurable: true,
    get: () => Object.create(prototype, { badInput: { value: badInput && seed.value === "" } }),
  });
  const next = badInput ? "" : text;
  if (seed.value === next) fireEvent(seed, new InputEvent("input", { bubbles: true }));
  else fireEvent.input(seed, { target: { value: next } });
  return seed;
}

function show() {
  render(
    <QueryClientProvider client={new QueryClient()}>
      <Page />
    </QueryClientProvider>,
  );
}
const run = () => fireEvent.click(screen.getByRole("button", { name: "Run" }));

it("reports an invalid number and blocks the run until it is fixed", () => {
  show();
  const seed = type("12-3");
  expect(screen.getByText(fix).id).toBe(seed.getAttribute("aria-describedby")?.split(" ")[0]);
  expect(screen.queryByRole("alert")).toBeNull();
  run();
  expect(onRun).not.toHaveBeenCalled();
  expect(screen.getByRole("link", { name: "Seed" }).parentElement?.textContent).toContain(fix);
  // React does not notice this step, because the field is empty for it both times.
  type("");
  expect(screen.queryByText(fix)).toBeNull();
  run();
  expect(onRun).toHaveBeenCalledOnce();
});

it("withdraws the problem when another control sets a number", () => {
  show();
  type("12-3");
  fireEvent.click(screen.getByRole("button", { name: "Set" }));
  expect(screen.queryByText(fix)).toBeNull();
  run();
  expect(onRun).toHaveBeenCalledWith(expect.objectContaining({ seed: 7 }));
});
