import { callRoute } from "@/lib/browser/gateway";
import { readRowReference } from "@/lib/compare/shown-input";
import { type KeptConversation, openedConversation } from "@/lib/conversations/kept-conversation";
import { presetNotice } from "@/lib/presets/labels";
import { keptInput } from "@/lib/requests/kept-input";
import { hasIdForm } from "@/lib/resources";
import type { FormPlan } from "@/lib/schema-form/plan";
import { makerName } from "@/lib/team/maker";

export interface LoadedInput {
  /** Null: there is no input to load. */
  input: Record<string, unknown> | null;
  notice: string;
  /** For a saved conversation: its state in addition to the input. */
  conversation?: KeptConversation;
}

/**
 * Loads the input of a preset, saved conversation, kept output, row of a comparison or earlier prediction,
 * with a notice about it.
 */
export async function loadInput(from: string, plan: FormPlan): Promise<LoadedInput> {
  if (hasIdForm("pst", from)) {
    const answer = await callRoute("GET /presets/{id}", { params: { id: from } });
    if (!answer.ok) return { input: null, notice: `The preset could not be loaded. ${answer.error.message}` };
    return { input: answer.data.input, notice: presetNotice(answer.data, plan) };
  }
  if (hasIdForm("conv", from)) {
    const answer = await callRoute("GET /conversations/{id}", { params: { id: from } });
    if (!answer.ok)
      return { input: null, notice: `The conversation could not be opened. ${answer.error.message}` };
    const opened = openedConversation(answer.data);
    if (!opened)
      return {
        input: null,
        notice:
          "To open this conversation, first give the attestation that its model requires (page Attestations).",
      };
    const by = makerName(answer.data.made_by);
    return {
      input: opened.input,
      notice: `Conversation “${answer.data.name}”${by ? ` by ${by}` : ""} opened.`,
      conversation: opened.kept,
    };
  }
  if (hasIdForm("out", from)) {
    const answer = await callRoute("GET /outputs/{id}", { params: { id: from } });
    if (!answer.ok)
      return { input: null, notice: `The kept input could not be loaded. ${answer.error.message}` };
    if (!answer.data.input)
      return { input: null, notice: "No input was stored with this output. Your draft is unchanged." };
    return { input: answer.data.input, notice: "Input of the kept output loaded." };
  }
  if (hasIdForm("gen", from)) {
    const answer = await callRoute("GET /contents/{id}", { params: { id: from } });
    if (!answer.ok) return { input: null, notice: `The call could not be loaded. ${answer.error.message}` };
    const { input, missingFiles: missing } = keptInput(answer.data);
    const files = missing === 1 ? "its file was" : `its ${missing} files were`;
    return {
      input,
      notice:
        missing === 0
          ? `Input of ${from} loaded.`
          : `Input of ${from} loaded; ${files} not kept. A text in each place says what is missing.`,
    };
  }
  const row = readRowReference(from);
  if (row) return loadRow(row.batchId, row.row);
  const answer = await callRoute("GET /predictions/{id}", { params: { id: from } });
  if (!answer.ok)
    return { input: null, notice: `The input of ${from} could not be loaded. ${answer.error.message}` };
  if (answer.data.gated)
    return {
      input: null,
      notice: `The input of ${from} is hidden until you give the attestation that its model requires (page Attestations). Your draft is unchanged.`,
    };
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
