"use client";

import { FileUp } from "lucide-react";
import { type FormEvent, useMemo, useRef, useState } from "react";
import type { Price } from "#contract/operator/prices.ts";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/form/checkbox";
import { FormActions, FormDialog } from "@/components/ui/form/form-dialog";
import { Select } from "@/components/ui/form/input";
import { useSend } from "@/components/ui/form/use-send";
import { Table, Td, Th, Tr } from "@/components/ui/list/table";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { usePageRouter } from "@/components/ui/page/link";
import { useToast } from "@/components/ui/toast";
import { answerOf } from "@/lib/browser/action-answer";
import { formatBytes, formatCount } from "@/lib/format";
import { act } from "@/lib/gateway/act";
import { localFailure } from "@/lib/gateway/result";
import {
  type Change,
  type ImportRow,
  importRows,
  pricesOf,
  withCandidate,
} from "@/lib/operator/prices/import-rows";
import type { ListedPrice } from "@/lib/operator/prices/price-list";
import { maxListBytes, type PriceListRead, readPriceList } from "@/lib/operator/prices/read-price-list";
import { kindLabel } from "@/lib/operator/provider-labels";
import type { MappedOperation } from "@/lib/operator/route-entry";
import { conditionLabel, shortRate } from "@/lib/rate-labels";
import { StartField, type StartTime, startOf } from "./price-fields.tsx";

interface ImportPricesDialogProps {
  prices: readonly Price[];
  operations: readonly MappedOperation[];
  presets: Readonly<Record<string, string | null>>;
  currency: string;
  onClose: () => void;
}

/** The currency of LiteLLM's and OpenRouter's lists. */
const listCurrency = "USD";

interface Chosen {
  fileName: string;
  list: PriceListRead;
  rows: ImportRow[];
}

/**
 * Imports a price list: shows what is new, what changes and what is not understood, then sets the chosen
 * prices.
 */
export function ImportPricesDialog({
  prices,
  operations,
  presets,
  currency,
  onClose,
}: ImportPricesDialogProps) {
  const router = usePageRouter();
  const { toast } = useToast();
  const input = useRef<HTMLInputElement>(null);
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const [start, setStart] = useState<StartTime>({ when: "now", at: "" });
  const [reading, setReading] = useState(false);
  const { busy, failure, show, send } = useSend();
  const wanted = useMemo(() => (chosen ? pricesOf(chosen.rows) : []), [chosen]);

  const take = async (file: File | undefined) => {
    if (!file) return;
    show(null);
    setChosen(null);
    if (file.size > maxListBytes)
      return show(
        localFailure("file_too_large", `${file.name} is larger than ${formatBytes(maxListBytes)}.`),
      );
    setReading(true);
    const list = readPriceList(await file.text());
    setReading(false);
    if (typeof list === "string") return show(localFailure("invalid_file", `${file.name}: ${list}`));
    setChosen({ fileName: file.name, list, rows: importRows(list.prices, operations, presets, prices) });
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const begins = startOf(start);
    const answer = await send(() =>
      answerOf(
        act("POST /operator/prices/import", {
          body: { prices: wanted.map((price) => ({ ...price, currency, ...begins })) },
        }),
      ),
    );
    if (!answer.ok) return;
    const { data, unknown_models: unknown } = answer.data;
    toast({
      title: `${formatCount(data.length, "price")} imported`,
      ...(unknown.length > 0 && {
        description: `Not in the catalog, so these prices wait for their models: ${unknown.join(", ")}`,
      }),
      tone: unknown.length > 0 ? "warn" : "good",
    });
    router.refresh();
    onClose();
  };

  return (
    <FormDialog
      open
      size="lg"
      busy={busy}
      onClose={onClose}
      title="Import prices"
      description="The list of LiteLLM (model_prices_and_context_window.json) or of OpenRouter (the answer of /api/v1/models). You can review all prices before they are set."
    >
      <form onSubmit={(event) => void submit(event)} className="space-y-4">
        <input
          ref={input}
          type="file"
          hidden
          accept=".json,application/json"
          onChange={(event) => {
            void take(event.target.files?.[0]);
            event.target.value = "";
          }}
        />
        <div className="flex flex-wrap items-center gap-2">
          <Button
            icon={<FileUp size={16} aria-hidden />}
            busy={reading}
            disabled={busy}
            onClick={() => input.current?.click()}
          >
            {chosen ? "Choose another file" : "Choose JSON file"}
          </Button>
          {chosen && (
            <span className="text-table text-muted wrap-anywhere">
              {chosen.fileName}: {formatCount(chosen.list.prices.length, "price")} of {chosen.list.format}
            </span>
          )}
        </div>
        {currency !== listCurrency && (
          <p className="rounded-control bg-warn-soft p-3">
            These lists are in {listCurrency} but this installation uses {currency}, so no price can be
            imported.
          </p>
        )}
        <div aria-live="polite">
          {chosen && <ImportPreview rows={chosen.rows} onChange={(rows) => setChosen({ ...chosen, rows })} />}
        </div>
        {wanted.length > 0 && <StartField value={start} onChange={setStart} />}
        <FormActions>
          {failure && (
            <div className="w-full">
              <ErrorPanel error={failure} />
            </div>
          )}
          <Button onClick={onClose} disabled={busy}>
            Cancel
          </Button>
          {wanted.length > 0 && currency === listCurrency && (
            <Button type="submit" variant="primary" busy={busy}>
              Set {formatCount(wanted.length, "price")}
            </Button>
          )}
        </FormActions>
      </form>
    </FormDialog>
  );
}

interface ImportPreviewProps {
  rows: readonly ImportRow[];
  onChange: (rows: ImportRow[]) => void;
}

/** Each operation in the list: its rates, the current ones, and unknown fields. */
function ImportPreview({ rows, onChange }: ImportPreviewProps) {
  if (rows.length === 0)
    return (
      <p>
        The list has none of the models that are mapped to a provider. Prices are matched by the name of the
        upstream model.
      </p>
    );
  const set = (at: number, row: ImportRow) =>
    onChange(rows.map((each, index) => (index === at ? row : each)));
  const count = (change: Change) => rows.filter((row) => row.change === change).length;
  return (
    <div className="space-y-2">
      <p>
        {count("new")} new, {count("changed")} changed, {count("same")} unchanged.
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

const changeLabels: Record<Change, string> = { new: "New", changed: "Changed", same: "Unchanged" };

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
  if (components.length === 0) return <span className="text-muted">No usable rate</span>;
  return components.map((component) => (
    <span key={`${component.kind}:${conditionLabel(component.when)}`} className="tabular block">
      {shortRate(component)}
      {component.when && <span className="text-muted"> ({conditionLabel(component.when)})</span>}
    </span>
  ));
}
