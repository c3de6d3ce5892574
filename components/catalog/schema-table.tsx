import { Badge } from "@/components/ui/badge";
import { Table, Td, Th, Tr } from "@/components/ui/table";
import { schemaRows } from "./schema-rows.ts";

/** The top-level properties of a JSON Schema: name, type, bounds, meaning. */
export function SchemaTable({ schema, label }: { schema: Record<string, unknown>; label: string }) {
  return (
    <Table label={label}>
      <thead>
        <tr>
          <Th>Property</Th>
          <Th>Type</Th>
          <Th>Bounds</Th>
          <Th>Meaning</Th>
        </tr>
      </thead>
      <tbody>
        {schemaRows(schema).map((row) => (
          <Tr key={row.name}>
            <Td className="font-mono whitespace-nowrap">
              {row.name} {row.required && <Badge tone="busy">required</Badge>}
            </Td>
            <Td className="whitespace-nowrap">{row.type}</Td>
            <Td className="wrap-anywhere">{row.bounds || <span className="text-faint">–</span>}</Td>
            <Td className="min-w-48 text-muted">{row.description}</Td>
          </Tr>
        ))}
      </tbody>
    </Table>
  );
}
