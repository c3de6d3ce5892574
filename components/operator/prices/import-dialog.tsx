"use client";

import { FileUp } from "lucide-react";
import { type FormEvent, useMemo, useRef, useState } from "react";
import type { Price } from "#contract/operator/prices.ts";
import { useWords } from "#words";
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
import { formatBytes } from "@/lib/format";
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
import { listText } from "@/lib/words/list-text";
import type { Language } from "@/messages/languages";
import { bracketed } from "@/messages/marks";
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
  const t = useWords("prices");
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
        localFailure(
          "file_too_large",
          t("fileTooLarge", { name: file.name, size: formatBytes(maxListBytes) }),
        ),
      );
    setReading(true);
    const list = readPriceList(t, await file.text());
    setReading(false);
    if (typeof list === "string")
      return show(localFailure("invalid_file", t("fileProblem", { name: file.name, problem: list })));
    setChosen({ fileName: file.name, list, rows: importRows(t, list.prices, operations, presets, prices) });
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
      title: t("pricesImported", { count: data.length }),
      ...(unknown.length > 0 && {
        description: t("waitForModels", { models: listText(t.language, unknown, "plain") }),
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
      title={t("importPrices")}
      description={t("theListOfLitellmModel")}
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
            {chosen ? t("chooseAnotherFile") : t("chooseJsonFile")}
          </Button>
          {chosen && (
            <span className="text-table text-muted wrap-anywhere">
              {t("pricesOfFile", {
                name: chosen.fileName,
                count: chosen.list.prices.length,
                format: chosen.list.format,
              })}
            </span>
          )}
        </div>
        {currency !== listCurrency && (
          <p className="rounded-control bg-warn-soft p-3">
            {t("theseListsAreInListcurrency", { listCurrency, currency })}
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
            {t("cancel")}
          </Button>
          {wanted.length > 0 && currency === listCurrency && (
            <Button type="submit" variant="primary" busy={busy}>
              {t("setPrices", { count: wanted.length })}
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
  const t = useWords("prices");
  if (rows.length === 0) return <p>{t("theListHasNoneOf")}</p>;
  const set = (at: number, row: ImportRow) =>
    onChange(rows.map((each, index) => (index === at ? row : each)));
  const count = (change: Change) => rows.filter((row) => row.change === change).length;
  return (
    <div className="space-y-2">
      <p>{t("changeCounts", { added: count("new"), changed: count("changed"), same: count("same") })}</p>
      <Table label={t("pricesOfTheList")}>
        <thead>
          <tr>
            <Th>
              <span className="sr-only">{t("import")}</span>
            </Th>
            <Th>{t("model")}</Th>
            <Th>{t("ratesOfTheList")}</Th>
            <Th>{t("here")}</Th>
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

const changeLabels = {
  new: "newPrice",
  changed: "changedPrice",
  same: "samePrice",
} as const satisfies Record<Change, string>;

function PreviewRow({ row, onChange }: { row: ImportRow; onChange: (row: ImportRow) => void }) {
  const t = useWords("prices");
  const shared = useWords("operator");
  const { target, candidates, candidate, before, change, problem, chosen } = row;
  const listed = candidates[candidate];
  const name = t("nameAtProvider", { name: target.model, provider: target.provider });
  if (!listed) return null;
  const isOfFile = before?.managed_by === "file";
  return (
    <Tr className="align-top">
      <Td className="pr-0!" data-box>
        <Checkbox
          hideLabel
          label={t("importName", { name })}
          checked={chosen}
          disabled={listed.components.length === 0 || isOfFile || problem !== null}
          onChange={(event) => onChange({ ...row, chosen: event.currentTarget.checked })}
        />
      </Td>
      <Td className="max-w-56">
        <span className="block font-mono wrap-anywhere">{target.model}</span>
        <span className="block text-meta text-muted wrap-anywhere">
          {t("nameAtProvider", { name: kindLabel(shared, target.api_type), provider: target.provider })}
        </span>
        <Badge>{isOfFile ? shared("managedByTheFile") : t(changeLabels[change])}</Badge>
      </Td>
      <Td className="max-w-80">
        {candidates.length > 1 && (
          <Select
            aria-label={t("entryOfTheListFor", { name })}
            className="mb-1"
            value={String(candidate)}
            onChange={(event) => onChange(withCandidate(t, row, Number(event.currentTarget.value)))}
          >
            {candidates.map((each, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a list may name a model twice.
              <option key={index} value={index}>
                {entryName(t.language, each)}
              </option>
            ))}
          </Select>
        )}
        <Rates components={listed.components} />
        {problem && <p className="text-meta text-bad">{t("itCannotBeImportedProblem", { problem })}</p>}
        {listed.notUnderstood.length > 0 && (
          <details className="mt-1 text-meta">
            <summary className="w-fit text-warn">
              {t("notUnderstood", { count: listed.notUnderstood.length })}
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
          <span className="text-muted">{t("notPriced")}</span>
        )}
      </Td>
    </Tr>
  );
}

function entryName(language: Language, { name, provider }: ListedPrice): string {
  return provider && !name.startsWith(provider) ? bracketed(language, name, provider) : name;
}

function Rates({ components }: { components: ListedPrice["components"] }) {
  const t = useWords("prices");
  const amounts = useWords("amounts");
  if (components.length === 0) return <span className="text-muted">{t("noUsableRate")}</span>;
  return components.map((component) => (
    <span key={`${component.kind}:${conditionLabel(amounts, component.when)}`} className="tabular block">
      {shortRate(amounts, component)}
      {component.when && (
        <span className="text-muted">
          {bracketed(t.language, "", conditionLabel(amounts, component.when))}
        </span>
      )}
    </span>
  ));
}
