import type { EventTypeList } from "#contract/event-feed.ts";
import { RowLink, Table, Td, Th, Tr } from "@/components/ui/list/table";

interface EventTypeTableProps {
  types: EventTypeList["data"];
  /** Whose body stands below. */
  shown: string | null;
}

/** Each type with what it means; a row opens its schema and example. */
export function EventTypeTable({ types, shown }: EventTypeTableProps) {
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
