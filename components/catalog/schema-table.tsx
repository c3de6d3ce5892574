import { Badge } from "@/components/ui/badge";
import { Table, Td, Th, Tr } from "@/components/ui/list/table";
import { schemaRows } from "./schema-rows.ts";

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
