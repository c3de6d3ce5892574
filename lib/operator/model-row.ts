import type { OperatorModel } from "#contract/operator/models.ts";
import type { Words } from "../../messages/words.ts";

/** The part of a model that the list shows. Its schemas stay on the server. */
export type ModelRow = Pick<
  OperatorModel,
  "id" | "managed_by" | "state" | "running_predictions" | "revision" | "display_name" | "hidden" | "accounts"
> & { apiTypes: string[]; from: string };

export function modelRow(t: Words<"operatorModels">, model: OperatorModel): ModelRow {
  const { id, managed_by, state, running_predictions, revision, display_name, hidden, accounts } = model;
  return {
    id,
    managed_by,
    state,
    running_predictions,
    revision,
    display_name,
    hidden,
    accounts,
    apiTypes: model.operations.map(({ api_type }) => api_type),
    from: sourceText(t, model),
  };
}

function sourceText(t: Words<"operatorModels">, { source, managed_by }: OperatorModel): string {
  if (source?.kind === "import") return t("fromImport", { name: source.name, provider: source.provider });
  if (source?.kind === "template") return t("fromTemplate", { model: source.model });
  return managed_by === "specification" ? t("specification") : "–";
}

/** An id `<namespace>/<name>` is two segments of the address. */
export function modelParams(id: string): { namespace: string; name: string } {
  const [namespace = "", name = ""] = id.split("/");
  return { namespace, name };
}
