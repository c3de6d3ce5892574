import { use } from "react";
import type { EventTypeList } from "#contract/event-types.ts";
import { useWords } from "#words";
import { headOf, page, titleOf } from "@/app/console-page";
import { CodeBlock } from "@/components/ui/code-block";
import { JsonView } from "@/components/ui/json-view";
import { RowLink, Table, Td, Th, Tr } from "@/components/ui/list/table";
import { EmptyState } from "@/components/ui/page/empty-state";
import { LoadFailure } from "@/components/ui/page/error-panel";
import { PageHeader } from "@/components/ui/page/page-header";
import { Section } from "@/components/ui/page/section";
import { messageLanguage } from "@/lib/server/words";
import { eventDescription } from "@/lib/words/code-labels";

const head = headOf({ title: "eventTypes", parts: ["webhooks"] });

export const generateMetadata = titleOf(head);

/** All event types. The one that the address names is open, with its schema and example. */
export default page(head, async ({ t, search, baseUrl, requestRoute }) => {
  const { type } = search;
  const types = await requestRoute("GET /webhooks/event-types");
  const all = types.ok ? types.data.data : [];
  const shown = typeof type === "string" ? all.find((one) => one.type === type) : all[0];
  return (
    <>
      <PageHeader title={t("eventTypes")} description={t("eventsThatEndpointsCanSubscribe")} />
      {!types.ok && <LoadFailure error={types.error} />}
      {types.ok && (
        <div className="mb-8">
          <EventTypeTable types={all} shown={shown?.type ?? null} />
        </div>
      )}
      {types.ok && !shown && <EmptyState title={t("unknownEventType")} body={t("chooseOneOfTheTypes")} />}
      {shown && (
        <>
          <Section
            title={shown.type}
            description={eventDescription(await messageLanguage(), shown.type, shown.description)}
          >
            <CodeBlock
              label={t("exampleOfType", { type: shown.type })}
              language="json"
              code={JSON.stringify(shown.example, null, 2)}
            />
          </Section>
          <Section title={t("jsonSchema")} description={t("theBodyThatIsSigned")}>
            <JsonView label={t("schemaOfType", { type: shown.type })} value={shown.schema} />
          </Section>
          <Section title={t("typescript")} description={t("thisCommandWritesTypescriptTypes")}>
            <CodeBlock
              label={t("command")}
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
  const language = use(messageLanguage());
  const t = useWords("webhooks");
  return (
    <Table label={t("eventTypes")}>
      <thead>
        <tr>
          <Th>{t("type")}</Th>
          <Th>{t("when")}</Th>
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
            <Td className="text-muted">{eventDescription(language, type, description)}</Td>
          </Tr>
        ))}
      </tbody>
    </Table>
  );
}
