import { isId } from "#contract/ids.ts";
import { callRoute } from "@/lib/browser/gateway";
import { readRowReference } from "@/lib/compare/shown-input";
import { presetNotice } from "@/lib/presets/notice";
import type { FormPlan } from "@/lib/schema-form/plan";

interface LoadedInput {
  /** Null: there is none to load. */
  input: Record<string, unknown> | null;
  notice: string;
}

/** The input of a preset, a kept output, a row of a comparison or a past prediction, and what to tell about it. */
export async function loadInput(from: string, plan: FormPlan): Promise<LoadedInput> {
  if (isId("preset", from)) {
    const answer = await callRoute("GET /presets/{id}", { params: { id: from } });
    if (!answer.ok) return { input: null, notice: `The preset could not be loaded. ${answer.error.message}` };
    return { input: answer.data.input, notice: presetNotice(answer.data, plan) };
  }
  if (isId("output", from)) {
    const answer = await callRoute("GET /outputs/{id}", { params: { id: from } });
    if (!answer.ok)
      return { input: null, notice: `The kept input could not be loaded. ${answer.error.message}` };
    if (!answer.data.input)
      return { input: null, notice: "No input was kept with this output. Your draft is unchanged." };
    return { input: answer.data.input, notice: "Input of the kept output loaded." };
  }
  const row = readRowReference(from);
  if (row) return loadRow(row.batchId, row.row);
  const answer = await callRoute("GET /predictions/{id}", { params: { id: from } });
  if (!answer.ok)
    return { input: null, notice: `The input of ${from} could not be loaded. ${answer.error.message}` };
  if (!answer.data.input)
    return { input: null, notice: `The input of ${from} has been removed. Your draft is unchanged.` };
  return { input: answer.data.input, notice: `Input of ${from} loaded.` };
}

async function loadRow(id: string, row: number): Promise<LoadedInput> {
  const query = { after: row - 1, limit: 1 };
  const answer = await callRoute("GET /batches/{id}/rows", { params: { id }, query });
  if (!answer.ok)
    return { input: null, notice: `The input of row ${row} could not be loaded. ${answer.error.message}` };
  const input = answer.data.data[0]?.input;
  return input
    ? { input, notice: `Input of row ${row} of ${id} loaded.` }
    : { input: null, notice: `The input of row ${row} has been removed. Your draft is unchanged.` };
}
