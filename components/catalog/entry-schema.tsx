import type { CatalogOperation } from "#contract/catalog.ts";
import { JsonView } from "@/components/ui/json-view";
import { Section } from "@/components/ui/page/section";
import { SchemaTable } from "./schema-table.tsx";

/** The input in a table, then both schemas and the example as they are published. */
export function EntrySchema({ operation }: { operation: CatalogOperation }) {
  return (
    <>
      <Section title="Input" description={`Schema version ${operation.schema_version}`}>
        <SchemaTable schema={operation.input_schema} label="Input properties" />
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
