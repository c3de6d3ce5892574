import type { CatalogModel } from "#contract/catalog.ts";
import { facetLabel } from "./facets.ts";
import { limitName, limitText } from "./limit-labels.ts";
import { gatesOf } from "./row.ts";
import { schemaRows } from "./schema-table.tsx";

export interface CompareRow {
  group: "Facts" | "Input" | "Limits";
  name: string;
  /** One text for each model. Null if the model does not have the fact. */
  values: (string | null)[];
  differs: boolean;
}

/** Facts of several models side by side, from the first operation of each. */
export function compareRows(models: readonly CatalogModel[]): CompareRow[] {
  const columns = models.map(columnOf);
  const names = (group: CompareRow["group"]) => [
    ...new Set(columns.flatMap((column) => [...column[group].keys()])),
  ];
  return (["Facts", "Input", "Limits"] as const).flatMap((group) =>
    names(group).map((name) => {
      const values = columns.map((column) => column[group].get(name) ?? null);
      return { group, name, values, differs: new Set(values).size > 1 };
    }),
  );
}

function columnOf(model: CatalogModel): Record<CompareRow["group"], Map<string, string>> {
  const operation = model.operations[0];
  return {
    Facts: new Map([
      ["Operations", model.operations.map((entry) => entry.api_type).join(", ")],
      ["Execution", facetLabel(operation?.execution_mode ?? "")],
      ["Billed per", operation?.billing_unit ?? ""],
      ["Regions", model.available_regions.join(", ")],
      ["Gates", gatesOf(model).map(facetLabel).join(", ")],
      ["Latest release", model.latest_release_at],
    ]),
    Input: new Map(
      schemaRows(operation?.input_schema ?? {})
        .filter((row) => row.name !== "model")
        .map((row) => [
          row.name,
          [row.required ? "required" : "optional", row.type, row.bounds].filter(Boolean).join("; "),
        ]),
    ),
    Limits: new Map(
      Object.entries(operation?.limits ?? {}).map(([name, value]) => [
        limitName(name),
        limitText(name, value),
      ]),
    ),
  };
}
