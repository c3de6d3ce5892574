import type { CatalogModel } from "#contract/catalog.ts";
import { formatByteLimit, formatNumber } from "@/lib/format";
import { listText } from "@/lib/words/list-text";
import type { Words } from "@/messages/words";
import { facetLabel } from "./facets.ts";
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
export function compareRows(models: readonly CatalogModel[], t: Words<"catalog">): CompareRow[] {
  const columns = models.map((model) => columnOf(model, t));
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

function columnOf(
  model: CatalogModel,
  t: Words<"catalog">,
): Record<CompareRow["group"], Map<string, string>> {
  const operation = model.operations[0];
  return {
    Facts: new Map([
      [
        t("operations"),
        listText(
          t.language,
          model.operations.map((entry) => entry.api_type),
          "plain",
        ),
      ],
      [t("execution"), facetLabel(operation?.execution_mode ?? "", t)],
      [t("billedPer"), facetLabel(operation?.billing_unit ?? "", t)],
      [t("regions"), listText(t.language, model.available_regions, "plain")],
      [
        t("gates"),
        listText(
          t.language,
          gatesOf(model).map((gate) => facetLabel(gate, t)),
          "plain",
        ),
      ],
      [t("latestRelease"), model.latest_release_at],
    ]),
    Input: new Map(
      schemaRows(operation?.input_schema ?? {}, t)
        .filter((row) => row.name !== "model")
        .map((row) => [
          row.name,
          listText(t.language, [row.required ? t("required") : t("optional"), row.type, row.bounds], "parts"),
        ]),
    ),
    Limits: new Map(
      Object.entries(operation?.limits ?? {}).map(([name, value]) => [
        limitName(name, t),
        limitText(name, value, t),
      ]),
    ),
  };
}

/** `context_window_tokens` is the limit `contextWindowTokens`. Names of an operator's own are made into English words. */
export function limitName(name: string, t: Words<"catalog">): string {
  const key = `limit.${name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())}`;
  if (t.has(key)) return t.text(key);
  const words = name
    .replace(/_/g, " ")
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** A limit's value as text. The catalog's name of the limit determines the unit. */
export function limitText(name: string, value: unknown, t: Words<"catalog">): string {
  if (typeof value === "number")
    return /bytes$/i.test(name)
      ? t("sizeInBytes", { size: formatByteLimit(value), bytes: value })
      : formatNumber(value);
  if (typeof value === "boolean") return value ? t("yes") : t("no");
  if (Array.isArray(value))
    return listText(
      t.language,
      value.map((item) => limitText("", item, t)),
      "plain",
    );
  return typeof value === "string" ? value : JSON.stringify(value);
}
