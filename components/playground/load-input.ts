import { callRoute } from "@/lib/browser/gateway";
import { readRowReference } from "@/lib/compare/shown-input";
import { type KeptConversation, openedConversation } from "@/lib/conversations/kept-conversation";
import { presetNotice } from "@/lib/presets/labels";
import { keptInput } from "@/lib/requests/kept-input";
import { hasIdForm } from "@/lib/resources";
import type { FormPlan } from "@/lib/schema-form/plan";
import { makerName } from "@/lib/team/maker";
import type { Words } from "@/messages/words";

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
export async function loadInput(
  from: string,
  plan: FormPlan,
  t: Words<"playground">,
  ui: Words<"ui">,
): Promise<LoadedInput> {
  if (hasIdForm("pst", from)) {
    const answer = await callRoute("GET /presets/{id}", { params: { id: from } });
    if (!answer.ok)
      return { input: null, notice: t("thePresetCouldNotBeLoaded", { why: answer.error.message }) };
    return { input: answer.data.input, notice: presetNotice(answer.data, plan, t) };
  }
  if (hasIdForm("conv", from)) {
    const answer = await callRoute("GET /conversations/{id}", { params: { id: from } });
    if (!answer.ok)
      return { input: null, notice: t("theConversationCouldNotBeOpened", { why: answer.error.message }) };
    const opened = openedConversation(answer.data);
    if (!opened)
      return {
        input: null,
        notice: t("firstGiveTheAttestation"),
      };
    const by = makerName(answer.data.made_by, t.language);
    return {
      input: opened.input,
      notice: by
        ? t("conversationByOpened", { name: answer.data.name, by })
        : t("conversationOpened", { name: answer.data.name }),
      conversation: opened.kept,
    };
  }
  if (hasIdForm("out", from)) {
    const answer = await callRoute("GET /outputs/{id}", { params: { id: from } });
    if (!answer.ok)
      return { input: null, notice: t("theKeptInputCouldNotBeLoaded", { why: answer.error.message }) };
    if (!answer.data.input) return { input: null, notice: t("noInputWasStored") };
    return { input: answer.data.input, notice: t("inputOfTheKeptOutputLoaded") };
  }
  if (hasIdForm("gen", from)) {
    const answer = await callRoute("GET /contents/{id}", { params: { id: from } });
    if (!answer.ok)
      return { input: null, notice: t("theCallCouldNotBeLoaded", { why: answer.error.message }) };
    const { input, missingFiles: missing } = keptInput(answer.data, ui);
    return {
      input,
      notice:
        missing === 0
          ? t("inputLoaded", { id: from })
          : t("inputLoadedWithoutFiles", { id: from, count: missing }),
    };
  }
  const row = readRowReference(from);
  if (row) return loadRow(row.batchId, row.row, t);
  const answer = await callRoute("GET /predictions/{id}", { params: { id: from } });
  if (!answer.ok)
    return { input: null, notice: t("inputCouldNotBeLoaded", { id: from, why: answer.error.message }) };
  if (answer.data.gated)
    return {
      input: null,
      notice: t("inputIsHidden", { id: from }),
    };
  if (!answer.data.input) return { input: null, notice: t("inputHasBeenRemoved", { id: from }) };
  return { input: answer.data.input, notice: t("inputLoaded", { id: from }) };
}

async function loadRow(id: string, row: number, t: Words<"playground">): Promise<LoadedInput> {
  const query = { after: row - 1, limit: 1 };
  const answer = await callRoute("GET /batches/{id}/rows", { params: { id }, query });
  if (!answer.ok)
    return { input: null, notice: t("rowCouldNotBeLoaded", { row: String(row), why: answer.error.message }) };
  const input = answer.data.data[0]?.input;
  return input
    ? { input, notice: t("rowLoaded", { row: String(row), id }) }
    : { input: null, notice: t("rowHasBeenRemoved", { row: String(row) }) };
}
