import type { CatalogOperation } from "#contract/catalog.ts";
import { Badge } from "@/components/ui/badge";
import { JsonView } from "@/components/ui/json-view";
import { Section } from "@/components/ui/section";
import { Table, Td, Th, Tr } from "@/components/ui/table";
import { schemaRows } from "./schema-rows.ts";

/** The input in a table, then both schemas and the example as they are published. */
export function EntrySchema({ operation }: { operation: CatalogOperation }) {
  const rows = schemaRows(operation.input_schema);
  return (
    <>
      <Section title="Input" description={`Schema version ${operation.schema_version}`}>
        <Table label="Input properties">
          <thead>
            <tr>
              <Th>Property</Th>
              <Th>Type</Th>
              <Th>Bounds</Th>
              <Th>Meaning</Th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
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
      </Section>
      <Section title="Example request">
        <JsonView value={operation.example} label="Example request" />
      </Section>
      <Section title="Input schema">
        <JsonView value={operation.input_schema} label="Input schema" />
      </Section>
      <Section title="Output schema">
        <JsonView value={operation.output_schema} label="Output schema" />
      </Section>
    </>
  );
}
