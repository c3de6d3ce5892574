"use client";

import { Badge } from "@/components/ui/badge";
import { Checkbox } from "@/components/ui/form/checkbox";
import { Select } from "@/components/ui/form/input";
import { Table, Td, Th, Tr } from "@/components/ui/list/table";
import { formatCount } from "@/lib/format";
import { type ImportRow, withCandidate } from "@/lib/operator/prices/import-rows";
import type { Change } from "@/lib/operator/prices/match-prices";
import type { ListedPrice } from "@/lib/operator/prices/price-list";
import { kindLabel } from "@/lib/operator/provider-labels";
import { conditionLabel, shortRate } from "@/lib/rate-labels";

interface ImportPreviewProps {
  rows: readonly ImportRow[];
  onChange: (rows: ImportRow[]) => void;
}

const changeLabels: Record<Change, string> = { new: "New", changed: "Changed", same: "The same" };

/** Each operation in the list: its rates, the current ones, and what is not understood. */
export function ImportPreview({ rows, onChange }: ImportPreviewProps) {
  if (rows.length === 0)
    return (
      <p>
        The list has none of the models that are mapped to a provider. Models are matched by the name of their
        upstream model.
      </p>
    );
  const set = (at: number, row: ImportRow) =>
    onChange(rows.map((each, index) => (index === at ? row : each)));
  const count = (change: Change) => rows.filter((row) => row.change === change).length;
  return (
    <div className="space-y-2">
      <p>
        {count("new")} new, {count("changed")} changed, {count("same")} the same as here.
      </p>
      <Table label="Prices of the list">
        <thead>
          <tr>
            <Th>
              <span className="sr-only">Import</span>
            </Th>
            <Th>Model</Th>
            <Th>Rates of the list</Th>
            <Th>Here</Th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            <PreviewRow
              key={`${row.target.api_type} ${row.target.model} ${row.target.provider}`}
              row={row}
              onChange={(next) => set(at, next)}
            />
          ))}
        </tbody>
      </Table>
    </div>
  );
}

function PreviewRow({ row, onChange }: { row: ImportRow; onChange: (row: ImportRow) => void }) {
  const { target, candidates, candidate, before, change, problem, chosen } = row;
  const listed = candidates[candidate];
  const name = `${target.model} at ${target.provider}`;
  if (!listed) return null;
  const isOfFile = before?.managed_by === "file";
  return (
    <Tr className="align-top">
      <Td className="pr-0!" data-box>
        <Checkbox
          hideLabel
          label={`Import ${name}`}
          checked={chosen}
          disabled={listed.components.length === 0 || isOfFile || problem !== null}
          onChange={(event) => onChange({ ...row, chosen: event.currentTarget.checked })}
        />
      </Td>
      <Td className="max-w-56">
        <span className="block font-mono wrap-anywhere">{target.model}</span>
        <span className="block text-meta text-muted wrap-anywhere">
          {kindLabel(target.api_type)} at {target.provider}
        </span>
        <Badge>{isOfFile ? "Managed by the file" : changeLabels[change]}</Badge>
      </Td>
      <Td className="max-w-80">
        {candidates.length > 1 && (
          <Select
            aria-label={`Entry of the list for ${name}`}
            className="mb-1"
            value={String(candidate)}
            onChange={(event) => onChange(withCandidate(row, Number(event.currentTarget.value)))}
          >
            {candidates.map((each, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a list may name a model twice.
              <option key={index} value={index}>
                {entryName(each)}
              </option>
            ))}
          </Select>
        )}
        <Rates components={listed.components} />
        {problem && <p className="text-meta text-bad">It cannot be imported: {problem}</p>}
        {listed.notUnderstood.length > 0 && (
          <details className="mt-1 text-meta">
            <summary className="w-fit text-warn">
              {formatCount(listed.notUnderstood.length, "field")} not understood
            </summary>
            <ul className="space-y-0.5 text-muted">
              {listed.notUnderstood.map(({ field, value, reason }) => (
                <li key={field} className="wrap-anywhere">
                  <code>{field}</code> {value}: {reason}
                </li>
              ))}
            </ul>
          </details>
        )}
      </Td>
      <Td className="max-w-56">
        {before && before.components.length > 0 ? (
          <Rates components={before.components} />
        ) : (
          <span className="text-muted">Not priced</span>
        )}
      </Td>
    </Tr>
  );
}

function entryName({ name, provider }: ListedPrice): string {
  return provider && !name.startsWith(provider) ? `${name} (${provider})` : name;
}

function Rates({ components }: { components: ListedPrice["components"] }) {
  if (components.length === 0) return <span className="text-muted">No rate that can be used</span>;
  return components.map((component) => (
    <span key={`${component.kind}:${conditionLabel(component.when)}`} className="tabular block">
      {shortRate(component)}
      {component.when && <span className="text-muted"> ({conditionLabel(component.when)})</span>}
    </span>
  ));
}
