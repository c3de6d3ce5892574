"use client";

import { FileUp } from "lucide-react";
import { type FormEvent, useMemo, useRef, useState } from "react";
import type { Price } from "#contract/operator/prices.ts";
import { Button } from "@/components/ui/button";
import { FormActions } from "@/components/ui/form/form-actions";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { useSend } from "@/components/ui/form/use-send";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { usePageRouter } from "@/components/ui/page/use-place";
import { useToast } from "@/components/ui/toast";
import { answerOf } from "@/lib/browser/action-answer";
import { formatBytes, formatCount } from "@/lib/format";
import { act } from "@/lib/gateway/act";
import { localFailure } from "@/lib/gateway/result";
import { type ImportRow, importRows, pricesOf } from "@/lib/operator/prices/import-rows";
import { maxListBytes, type PriceListRead, readPriceList } from "@/lib/operator/prices/read-price-list";
import type { MappedOperation } from "@/lib/operator/route-entry";
import { ImportPreview } from "./import-preview.tsx";
import { StartField, type StartTime, startOf } from "./start-field.tsx";

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
    toast({ title: `${formatCount(answer.data.data.length, "price")} imported`, tone: "good" });
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
      description="The list of LiteLLM (model_prices_and_context_window.json) or of OpenRouter (what /api/v1/models answers). You can review everything before it is set."
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
            These lists are in {listCurrency} and this installation counts in {currency}: nothing can be
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
