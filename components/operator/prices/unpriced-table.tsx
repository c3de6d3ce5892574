import { RowLink, Table, Td, Th, Tr } from "@/components/ui/list/table";
import { priceHref } from "@/lib/operator/prices/scope";
import type { UnpricedOperation } from "@/lib/operator/prices/unpriced";
import { kindWord } from "@/lib/operator/provider-words";

/** Operations that run at a provider and have no price. */
export function UnpricedTable({ operations }: { operations: readonly UnpricedOperation[] }) {
  return (
    <Table label="Not priced">
      <thead>
        <tr>
          <Th>Model</Th>
          <Th>Operation</Th>
          <Th>Runs at</Th>
        </tr>
      </thead>
      <tbody>
        {operations.map(({ model, apiType, providers }) => (
          <Tr key={`${apiType} ${model}`}>
            <Td className="max-w-80">
              <RowLink
                href={priceHref({ model, api_type: apiType })}
                className="block font-mono wrap-anywhere"
              >
                {model}
              </RowLink>
            </Td>
            <Td label="Operation">{kindWord(apiType)}</Td>
            <Td className="max-w-72 text-muted wrap-anywhere" label="Runs at">
              {providers.join(", ")}
            </Td>
          </Tr>
        ))}
      </tbody>
    </Table>
  );
}
