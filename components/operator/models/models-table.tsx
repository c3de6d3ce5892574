import { Badge } from "@/components/ui/badge";
import { RowLink, Table, Td, Th, Tr } from "@/components/ui/list/table";
import { StatusPill } from "@/components/ui/status-pill";
import { formatCount } from "@/lib/format";
import type { ModelRow } from "@/lib/operator/model-row";
import { kindWord } from "@/lib/operator/provider-words";
import { visibilityLook } from "@/lib/status/own-model";

export function ModelsTable({ models }: { models: readonly ModelRow[] }) {
  return (
    <Table label="Models">
      <thead>
        <tr>
          <Th>Model</Th>
          <Th>Kind</Th>
          <Th>From</Th>
          <Th>Seen by</Th>
          <Th numeric from="desktop">
            Revision
          </Th>
        </tr>
      </thead>
      <tbody>
        {models.map((model) => (
          <ModelTableRow key={model.id} model={model} />
        ))}
      </tbody>
    </Table>
  );
}

function ModelTableRow({ model }: { model: ModelRow }) {
  const { id, display_name, managed_by, running_predictions: running, apiTypes, revision } = model;
  const look = visibilityLook(model);
  const kinds = apiTypes.map(kindWord).join(", ");
  return (
    <Tr>
      <Td className="max-w-80">
        <RowLink href={`/operator/models/${id}`} className="block wrap-anywhere">
          {display_name ?? id}
        </RowLink>
        {display_name && <span className="block font-mono text-meta text-muted wrap-anywhere">{id}</span>}
      </Td>
      <Td label="Kind">{kinds}</Td>
      <Td className="max-w-72 text-muted wrap-anywhere" label="From">
        {managed_by === "specification" ? <Badge>Specification</Badge> : model.from}
      </Td>
      <Td>
        <StatusPill {...look} title={look.meaning} />
        {model.state === "leaving" && (
          <span className="block text-meta text-muted">{formatCount(running, "prediction")} running</span>
        )}
      </Td>
      <Td numeric from="desktop" label="Revision">
        {revision ?? "–"}
      </Td>
    </Tr>
  );
}
