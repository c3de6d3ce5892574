import type { EventTypeList } from "#contract/event-types.ts";
import { page, titleOf } from "@/app/console-page";
import { CodeBlock } from "@/components/ui/code-block";
import { JsonView } from "@/components/ui/json-view";
import { RowLink, Table, Td, Th, Tr } from "@/components/ui/list/table";
import { EmptyState } from "@/components/ui/page/empty-state";
import { LoadFailure } from "@/components/ui/page/error-panel";
import { PageHeader } from "@/components/ui/page/page-header";
import { Section } from "@/components/ui/page/section";

const head = { title: "eventTypes" } as const;

export const generateMetadata = titleOf(head);

/** All event types. The one that the address names is open, with its schema and example. */
export default page(head, async ({ search, baseUrl, requestRoute }) => {
  const { type } = search;
  const types = await requestRoute("GET /webhooks/event-types");
  const all = types.ok ? types.data.data : [];
  const shown = typeof type === "string" ? all.find((one) => one.type === type) : all[0];
  return (
    <>
      <PageHeader
        title="Event types"
        description="Events that endpoints can subscribe to, with example bodies."
      />
      {!types.ok && <LoadFailure error={types.error} />}
      {types.ok && (
        <div className="mb-8">
          <EventTypeTable types={all} shown={shown?.type ?? null} />
        </div>
      )}
      {types.ok && !shown && <EmptyState title="Unknown event type" body="Choose one of the types above." />}
      {shown && (
        <>
          <Section title={shown.type} description={shown.description}>
            <CodeBlock
              label={`Example of ${shown.type}`}
              language="json"
              code={JSON.stringify(shown.example, null, 2)}
            />
          </Section>
          <Section
            title="JSON Schema"
            description="The body that is signed and sent. New fields may be added: ignore fields that you do not know."
          >
            <JsonView label={`Schema of ${shown.type}`} value={shown.schema} />
          </Section>
          <Section
            title="TypeScript"
            description="This command writes TypeScript types: one for each event, WebhookEvent for all events together, and those of your catalog."
          >
            <CodeBlock
              label="Command"
              language="shell"
              code={`npm run -s gatehouse -- types --gateway ${baseUrl} --out gatehouse.ts`}
            />
          </Section>
        </>
      )}
    </>
  );
});

interface EventTypeTableProps {
  types: EventTypeList["data"];
  /** The type with the open schema and example. */
  shown: string | null;
}

/** Each event type with its meaning. A row opens its schema and example. */
function EventTypeTable({ types, shown }: EventTypeTableProps) {
  return (
    <Table label="Event types">
      <thead>
        <tr>
          <Th>Type</Th>
          <Th>When</Th>
        </tr>
      </thead>
      <tbody>
        {types.map(({ type, description }) => (
          <Tr key={type}>
            <Td className="font-mono">
              <RowLink
                href={`/webhooks/event-types?type=${type}`}
                {...(type === shown && { "aria-current": "true" as const })}
              >
                {type}
              </RowLink>
            </Td>
            <Td className="text-muted">{description}</Td>
          </Tr>
        ))}
      </tbody>
    </Table>
  );
}
