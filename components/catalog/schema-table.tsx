import { Badge } from "@/components/ui/badge";
import { Table, Td, Th, Tr } from "@/components/ui/list/table";

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
  return (
    <Table label={label}>
      <thead>
        <tr>
          <Th>Property</Th>
          <Th className="max-tablet:hidden">Type</Th>
          <Th>Limits</Th>
          <Th className="max-tablet:hidden">Description</Th>
        </tr>
      </thead>
      <tbody>
        {schemaRows(schema).map((row) => (
          <Tr key={row.name}>
            <Td className="font-mono max-tablet:align-top tablet:whitespace-nowrap">
              {row.name} {row.required && <Badge tone="busy">required</Badge>}
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
export function schemaRows(schema: Schema): SchemaRow[] {
  const properties = asSchema(schema.properties);
  const required = Array.isArray(schema.required) ? schema.required.map(String) : [];
  const names = [...new Set([...required, ...Object.keys(properties)])];
  return names.map((name) => {
    const property = asSchema(properties[name]);
    return {
      name,
      required: required.includes(name),
      type: typeWord(property),
      bounds: describeBounds(property),
      description: typeof property.description === "string" ? property.description : "",
    };
  });
}

function typeWord(schema: Schema): string {
  if (typeof schema.type === "string") {
    if (schema.type === "array") {
      const item = typeWord(asSchema(schema.items));
      return item === "any" ? "array" : `array of ${item}`;
    }
    return schema.type;
  }
  if (Array.isArray(schema.type)) return schema.type.join(" or ");
  const branches = [schema.oneOf, schema.anyOf].find(Array.isArray);
  if (branches) return [...new Set(branches.map((branch) => typeWord(asSchema(branch))))].join(" or ");
  if ("const" in schema) return typeof schema.const;
  if (Array.isArray(schema.enum)) return [...new Set(schema.enum.map((value) => typeof value))].join(" or ");
  return "any";
}

function asSchema(value: unknown): Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Schema) : {};
}

function describeBounds(schema: Schema): string {
  const branches = [schema.oneOf, schema.anyOf].find(Array.isArray);
  const parts = [
    branches
      ?.map((branch) => describeBounds(asSchema(branch)))
      .filter(Boolean)
      .join(" or "),
    "const" in schema && `exactly ${JSON.stringify(schema.const)}`,
    Array.isArray(schema.enum) && schema.enum.map((value) => JSON.stringify(value)).join(", "),
    range(schema.minimum, schema.maximum, ""),
    range(schema.minLength, schema.maxLength, "character"),
    range(schema.minItems, schema.maxItems, "item"),
    schema.default !== undefined && `default ${JSON.stringify(schema.default)}`,
  ];
  return parts.filter(Boolean).join("; ");
}

/** `unit` is the singular of the counted thing. Empty for plain numbers. */
function range(min: unknown, max: unknown, unit: string): string {
  if (min === undefined && max === undefined) return "";
  const units = (count: unknown) => `${count}${unit && ` ${unit}${count === 1 ? "" : "s"}`}`;
  if (min === undefined) return `at most ${units(max)}`;
  if (max === undefined) return `at least ${units(min)}`;
  return min === max ? `exactly ${units(min)}` : `${min}..${units(max)}`;
}
