import { useWords } from "#words";
import { Badge } from "@/components/ui/badge";
import { Table, Td, Th, Tr } from "@/components/ui/list/table";
import { listText } from "@/lib/words/list-text";
import type { Words } from "@/messages/words";

interface SchemaRow {
  name: string;
  required: boolean;
  type: string;
  bounds: string;
  description: string;
}

type Schema = Record<string, unknown>;

/** The top-level properties of a JSON Schema: name, type, limits, meaning. */
export function SchemaTable({ schema, label }: { schema: Record<string, unknown>; label: string }) {
  const t = useWords("catalog");
  return (
    <Table label={label}>
      <thead>
        <tr>
          <Th>{t("property")}</Th>
          <Th className="max-tablet:hidden">{t("type")}</Th>
          <Th>{t("limits")}</Th>
          <Th className="max-tablet:hidden">{t("description")}</Th>
        </tr>
      </thead>
      <tbody>
        {schemaRows(schema, t).map((row) => (
          <Tr key={row.name}>
            <Td className="font-mono max-tablet:align-top tablet:whitespace-nowrap">
              {row.name} {row.required && <Badge tone="busy">{t("required")}</Badge>}
              <span className="block font-sans text-meta text-muted tablet:hidden">{row.type}</span>
            </Td>
            <Td className="whitespace-nowrap max-tablet:hidden">{row.type}</Td>
            <Td className="wrap-anywhere max-tablet:align-top">
              {row.bounds || <span className="text-faint">–</span>}
              <span className="block text-muted tablet:hidden">{row.description}</span>
            </Td>
            <Td className="min-w-48 text-muted max-tablet:hidden">{row.description}</Td>
          </Tr>
        ))}
      </tbody>
    </Table>
  );
}

/** The top-level properties of an input schema, required ones first, each with its limits as text. */
export function schemaRows(schema: Schema, t: Words<"catalog">): SchemaRow[] {
  const properties = asSchema(schema.properties);
  const required = Array.isArray(schema.required) ? schema.required.map(String) : [];
  const names = [...new Set([...required, ...Object.keys(properties)])];
  return names.map((name) => {
    const property = asSchema(properties[name]);
    return {
      name,
      required: required.includes(name),
      type: typeWord(property, t),
      bounds: describeBounds(property, t),
      description: typeof property.description === "string" ? property.description : "",
    };
  });
}

function typeWord(schema: Schema, t: Words<"catalog">): string {
  if (typeof schema.type === "string") {
    if (schema.type === "array") {
      const item = typeWord(asSchema(schema.items), t);
      return item === "any" ? "array" : t("arrayOf", { item });
    }
    return schema.type;
  }
  if (Array.isArray(schema.type)) return anyOf(schema.type, t);
  const branches = [schema.oneOf, schema.anyOf].find(Array.isArray);
  if (branches)
    return anyOf(
      branches.map((branch) => typeWord(asSchema(branch), t)),
      t,
    );
  if ("const" in schema) return typeof schema.const;
  if (Array.isArray(schema.enum))
    return anyOf(
      schema.enum.map((value) => typeof value),
      t,
    );
  return "any";
}

function anyOf(words: readonly string[], t: Words<"catalog">): string {
  const [first = "", ...others] = new Set(words);
  return others.reduce((one, other) => t("or", { one, other }), first);
}

function asSchema(value: unknown): Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Schema) : {};
}

function describeBounds(schema: Schema, t: Words<"catalog">): string {
  const branches = [schema.oneOf, schema.anyOf].find(Array.isArray);
  const parts = [
    branches &&
      anyOf(
        branches.map((branch) => describeBounds(asSchema(branch), t)).filter((text) => text !== ""),
        t,
      ),
    "const" in schema && t("exactly", { value: JSON.stringify(schema.const) }),
    Array.isArray(schema.enum) && schema.enum.map((value) => JSON.stringify(value)).join(", "),
    range(schema.minimum, schema.maximum, "numbers", t),
    range(schema.minLength, schema.maxLength, "characters", t),
    range(schema.minItems, schema.maxItems, "items", t),
    schema.default !== undefined && t("defaultIs", { value: JSON.stringify(schema.default) }),
  ];
  return listText(t.language, parts, "parts");
}

function range(
  min: unknown,
  max: unknown,
  unit: "numbers" | "characters" | "items",
  t: Words<"catalog">,
): string {
  if (min === undefined && max === undefined) return "";
  const units = (value: string, count: unknown) =>
    unit === "numbers" ? value : t(unit, { value, count: count === 1 ? 1 : 2 });
  if (min === undefined) return t("atMost", { value: units(String(max), max) });
  if (max === undefined) return t("atLeast", { value: units(String(min), min) });
  return min === max ? t("exactly", { value: units(String(min), min) }) : units(`${min}..${max}`, max);
}
