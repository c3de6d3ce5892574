"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { ChevronLeft, ChevronRight, FileUp, Play, Plus, Undo2 } from "lucide-react";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { batchLimits } from "#contract/batch-constants.ts";
import type { BatchCheck, BatchFault } from "#contract/batches.ts";
import { useWords } from "#words";
import { moneyAmount, moneyProblem } from "@/components/keys/money-values";
import { Permitted } from "@/components/team/permitted";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/form/checkbox";
import { InputField } from "@/components/ui/form/input-fields";
import { type GridFault, InputGrid } from "@/components/ui/form/input-grid";
import { useKeptDraft } from "@/components/ui/form/use-kept-draft";
import { useSend } from "@/components/ui/form/use-send";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { usePageRouter } from "@/components/ui/page/link";
import {
  type BatchColumn,
  type BatchDraft,
  type BatchOperation,
  draftFromFile,
  emptyDraft,
  loadDraft,
  rowsSent,
  saveDraft,
  sourceOf,
} from "@/lib/batches/draft";
import { describeFault, estimateLabel, faultsByRow, maxCostLabel } from "@/lib/batches/labels";
import { failureBehind, fetchRoute } from "@/lib/browser/fetch-from-gateway";
import { callRoute } from "@/lib/browser/gateway";
import { newRunKey } from "@/lib/browser/runs/run-key";
import { formatBytes } from "@/lib/format";
import type { GatewayFailure } from "@/lib/gateway/result";
import { filledRows, type InputTable } from "@/lib/input-table";
import { queryKeys } from "@/lib/query-keys";
import type { Words } from "@/messages/words";
import { OperationChoice } from "./operation-choice.tsx";
import type { OperationCard } from "./operation-dialog.tsx";

interface NewBatchProps {
  operations: readonly OperationCard[];
  initial: OperationCard;
  accountId: string;
}

const nameOf = ({ model, apiType }: BatchOperation) => `${model}:${apiType}`;

/** Chooses the operation. Each operation has separate inputs. */
export function NewBatch({ operations, initial, accountId }: NewBatchProps) {
  const [operation, setOperation] = useState(initial);
  return (
    <div className="flex min-w-0 flex-col gap-4" data-wide>
      <OperationChoice operations={operations} current={operation} onChoose={setOperation} />
      <BatchInputs key={nameOf(operation)} operation={operation} accountId={accountId} />
    </div>
  );
}

function BatchInputs({ operation, accountId }: { operation: BatchOperation; accountId: string }) {
  const t = useWords("batches");
  const router = usePageRouter();
  const draft = useBatchDraft(operation, accountId);
  const checked = useBatchCheck(operation, draft.draft);
  const [name, setName] = useState("");
  const [concurrency, setConcurrency] = useState(String(batchLimits.concurrency.default));
  const [budget, setBudget] = useState("");
  const budgetFault = moneyProblem(useWords("amounts"), budget);
  const budgetAmount = moneyAmount(budget);
  const { busy, failure, send } = useSend();
  const { check } = checked;
  const body = useMemo(
    () => ({
      model: operation.model,
      api_type: operation.apiType,
      ...(name.trim() && { name: name.trim() }),
      concurrency: Number(concurrency),
      ...(budgetAmount !== null && {
        budgets: [{ amount: budgetAmount, period: "total" as const, hard: true }],
      }),
      ...sourceOf(draft.draft),
    }),
    [operation, name, concurrency, budgetAmount, draft.draft],
  );
  // One idempotency key per body, so that sending the same body twice starts the batch only once.
  const key = useMemo(() => body && newRunKey(), [body]);
  const { min, max } = batchLimits.concurrency;
  const fits = /^\d+$/.test(concurrency) && Number(concurrency) >= min && Number(concurrency) <= max;
  const ready = check?.ok === true && checked.isCurrent && fits && budgetFault === undefined;

  const start = async () => {
    const headers = { "idempotency-key": key };
    const answer = await send(() => callRoute("POST /batches", { body, headers }), { leaves: true });
    if (!answer.ok) return;
    draft.forget();
    router.push(`/batches/${answer.data.id}`);
  };

  return (
    <>
      <div className="flex flex-wrap items-center gap-2">
        <FileChoice file={draft.draft.file} onChoose={draft.replace} />
        {draft.restore && (
          <Button variant="ghost" icon={<Undo2 size={14} aria-hidden />} onClick={draft.restore}>
            {t("undo")}
          </Button>
        )}
      </div>
      <InputRows
        draft={draft.draft}
        columns={operation.columns}
        check={check}
        onChange={draft.setTable}
        onReplace={(table) => draft.replace({ table, file: null })}
      />
      {draft.notKept && (
        <p role="status" className="text-meta text-warn">
          {t("theseRowsAreTooLarge")}
        </p>
      )}
      <div className="flex flex-wrap items-start gap-4">
        <InputField
          label={t("name")}
          hint={t("aNameHelpsYouFind")}
          className="w-64 max-phone:w-full"
          value={name}
          maxLength={batchLimits.nameMaxLength}
          onValue={setName}
          autoComplete="off"
        />
        <InputField
          label={t("rowsAtTheSameTime")}
          hint={t("minToMaxYourOther", { min, max })}
          error={!fits && t("chooseANumberFromMin", { min, max })}
          className="w-64 max-phone:w-full"
          type="number"
          min={min}
          max={max}
          value={concurrency}
          onValue={setConcurrency}
        />
        <InputField
          label={t("budget")}
          hint={t("theMaximumCostOfAll")}
          error={budgetFault}
          className="w-64 max-phone:w-full"
          value={budget}
          inputMode="decimal"
          placeholder={t("noLimit")}
          onValue={setBudget}
          autoComplete="off"
        />
      </div>
      {operation.hasFiles && (
        <p className="max-w-[80ch] text-table text-muted">{t("eachOutputIsDeleted24")}</p>
      )}
      {failure && <ErrorPanel error={failure} />}
      <div className="sticky bottom-0 z-10 flex flex-wrap items-center gap-3 border-t bg-canvas py-3 max-tablet:bottom-[calc(52px+env(safe-area-inset-bottom))]">
        <CheckLine {...checked} />
        <Permitted to="operations:run">
          <Button
            variant="primary"
            icon={<Play size={14} aria-hidden />}
            busy={busy}
            disabled={!ready}
            onClick={() => void start()}
          >
            {check?.ok ? t("startBatchOfRows", { rows: check.rows }) : t("startBatch")}
          </Button>
        </Permitted>
      </div>
    </>
  );
}

interface InputRowsProps {
  draft: BatchDraft;
  columns: readonly BatchColumn[];
  check: BatchCheck | null;
  onChange: (table: InputTable) => void;
  onReplace: (table: InputTable) => void;
}

/** Showing a thousand rows of fields at once would make typing slow, so the rows have pages. */
const rowsPerPage = 50;

/** The inputs page by page, or only the inputs with faults. */
function InputRows({ draft, columns, check, onChange, onReplace }: InputRowsProps) {
  const t = useWords("batches");
  const { table } = draft;
  const [page, setPage] = useState(0);
  const [onlyFaults, setOnlyFaults] = useState(false);
  const found = useMemo(() => {
    // A typed table has no visible line numbers, so faults name rows.
    return (check?.faults ?? []).map((fault) => (draft.file ? fault : { ...fault, line: null }));
  }, [check, draft.file]);
  const faults = useMemo(() => faultsByRow(found, rowsSent(draft)), [found, draft]);
  const gridFaults = useMemo(() => {
    const words = ([row, ofRow]: [number, BatchFault[]]): [number, GridFault[]] => [
      row,
      ofRow.map((fault) => ({ column: fault.column, message: describeFault(t, fault) })),
    ];
    return new Map([...faults].map(words));
  }, [t, faults]);
  const general = found.filter(({ row }) => row === null);
  const all = useMemo(() => table.rows.map((_, row) => row), [table.rows]);
  const shown = onlyFaults && faults.size > 0 ? all.filter((row) => faults.has(row)) : all;
  const pages = Math.max(1, Math.ceil(shown.length / rowsPerPage));
  const at = Math.min(page, pages - 1);
  const rows = shown.slice(at * rowsPerPage, (at + 1) * rowsPerPage);

  return (
    <div className="min-w-0 space-y-2">
      {general.length > 0 && (
        <ul className="rounded-panel border border-bad bg-bad-soft px-4 py-2 text-table">
          {general.map((fault) => (
            <li key={`${fault.line}:${fault.column}:${fault.message}`}>{describeFault(t, fault)}</li>
          ))}
        </ul>
      )}
      <InputGrid
        label={t("inputs")}
        table={table}
        rows={rows}
        known={columns}
        faults={gridFaults}
        ignored={check?.ignored ?? []}
        onChange={onChange}
        onReplace={onReplace}
      />
      <div className="flex flex-wrap items-center gap-2">
        <Button
          size="sm"
          icon={<Plus size={14} aria-hidden />}
          onClick={() => {
            onChange({ ...table, rows: [...table.rows, []] });
            setPage(Math.floor(table.rows.length / rowsPerPage));
          }}
        >
          {t("addRow")}
        </Button>
        {faults.size > 0 && (
          <Checkbox
            label={t("onlyRowsWithErrors")}
            checked={onlyFaults}
            onChange={(event) => setOnlyFaults(event.target.checked)}
          />
        )}
        {pages > 1 && (
          <nav
            aria-label={t("pagesOfRows")}
            className="ml-auto flex items-center gap-2 text-table text-muted"
          >
            <Button
              size="sm"
              icon={<ChevronLeft size={14} aria-hidden />}
              disabled={at === 0}
              onClick={() => setPage(at - 1)}
            >
              {t("previous")}
            </Button>
            <span className="tabular">{t("pageOf", { page: at + 1, pages })}</span>
            <Button size="sm" disabled={at + 1 >= pages} onClick={() => setPage(at + 1)}>
              {t("next")}
              <ChevronRight size={14} aria-hidden />
            </Button>
          </nav>
        )}
      </div>
    </div>
  );
}

interface FileChoiceProps {
  file: BatchDraft["file"];
  onChoose: (draft: BatchDraft) => void;
}

/** The largest size of a request, minus some space for its other fields. */
const maxBytes = 15_000_000;

/** A CSV or JSONL file, chosen or dropped, in UTF-8, or in UTF-16 as Excel saves it. */
function FileChoice({ file, onChoose }: FileChoiceProps) {
  const t = useWords("batches");
  const input = useRef<HTMLInputElement>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [over, setOver] = useState(false);
  const take = async (chosen: File | undefined) => {
    if (!chosen) return;
    if (chosen.size > maxBytes)
      return setProblem(t("fileTooLarge", { name: chosen.name, size: formatBytes(maxBytes) }));
    const text = decoded(await chosen.arrayBuffer());
    setProblem(text === null ? t("fileNotUtf8", { name: chosen.name }) : null);
    if (text !== null) onChoose(draftFromFile(chosen.name, text));
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is one more way; the button does the same.
    <div
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        void take(event.dataTransfer.files[0]);
      }}
      className={`flex flex-wrap items-center gap-2 rounded-control ${over ? "outline-2 outline-accent" : ""}`}
    >
      <input
        ref={input}
        type="file"
        hidden
        accept=".csv,.tsv,.jsonl,.ndjson,text/csv"
        onChange={(event) => {
          void take(event.target.files?.[0]);
          event.target.value = "";
        }}
      />
      <Button icon={<FileUp size={16} aria-hidden />} onClick={() => input.current?.click()}>
        {t("chooseCsvOrJsonlFile")}
      </Button>
      <span className="text-table text-muted">
        {file
          ? t("loadedFromNameEditsHere", { name: file.name })
          : t("orDropAFileHere", { maxBytes: formatBytes(maxBytes) })}
      </span>
      {problem && (
        <p role="alert" className="basis-full text-table font-medium text-bad">
          {problem}
        </p>
      )}
    </div>
  );
}

function decoded(bytes: ArrayBuffer): string | null {
  const [first, second] = new Uint8Array(bytes);
  try {
    return new TextDecoder(first === 0xff && second === 0xfe ? "utf-16le" : "utf-8", { fatal: true }).decode(
      bytes,
    );
  } catch {
    return null;
  }
}

/** The inputs of a new batch of one operation, kept in this browser until it starts. */
function useBatchDraft({ model, apiType, columns }: BatchOperation, accountId: string) {
  const key = `${model}:${apiType}`;
  const kept = useKeptDraft<BatchDraft>({
    initial: () => emptyDraft(columns),
    load: useCallback(() => loadDraft(accountId, key), [accountId, key]),
    save: useCallback((draft: BatchDraft) => saveDraft(accountId, key, draft), [accountId, key]),
  });
  return {
    draft: kept.draft,
    notKept: kept.notKept,
    /** Editing a cell turns the file into a table. */
    setTable(table: InputTable) {
      kept.forgetReplaced();
      kept.change({ table, file: null });
    },
    replace: kept.replace,
    restore: kept.restore,
    /** The batch has started, so the form is empty for the next one. */
    forget() {
      kept.drop();
      saveDraft(accountId, key, null);
    },
  };
}

const checkAfterMs = 700;

/** Lets the gateway check the inputs shortly after the last change. Nothing runs. */
function useBatchCheck({ model, apiType }: BatchOperation, draft: BatchDraft) {
  const [asked, setAsked] = useState<{ draft: BatchDraft; revision: number } | null>(null);
  const isEmpty = filledRows(draft.table) === 0;
  useEffect(() => {
    const timer = setTimeout(
      () => setAsked((last) => ({ draft, revision: (last?.revision ?? 0) + 1 })),
      checkAfterMs,
    );
    return () => clearTimeout(timer);
  }, [draft]);
  const query = useQuery({
    queryKey: [...queryKeys.batchCheck(asked?.revision ?? 0), model, apiType],
    queryFn: async ({ signal }) => ({
      file: (asked?.draft ?? draft).file,
      check: await fetchRoute("POST /batches/check", {
        body: { model, api_type: apiType, ...sourceOf(asked?.draft ?? draft) },
        signal,
      }),
    }),
    enabled: asked !== null && filledRows(asked.draft.table) > 0,
    placeholderData: keepPreviousData,
    retry: false,
    refetchOnWindowFocus: false,
    gcTime: 0,
  });
  // While the user edits a cell, the old faults stay visible, but not the faults of another file.
  const found = query.data && (!draft.file || query.data.file === draft.file) ? query.data.check : null;
  const isCurrent = asked?.draft === draft && !query.isPlaceholderData;
  return {
    check: isEmpty ? null : found,
    failure: isEmpty ? null : failureBehind(query.error),
    /** Whether `check` belongs to the current rows. */
    isCurrent: isCurrent && !query.isFetching,
    isEmpty,
    again: () => void query.refetch(),
  };
}

interface CheckLineProps {
  check: BatchCheck | null;
  failure: GatewayFailure | null;
  isCurrent: boolean;
  isEmpty: boolean;
  again: () => void;
}

/** The gateway's check of the rows. */
function CheckLine({ check, failure, isCurrent, isEmpty, again }: CheckLineProps) {
  const t = useWords("batches");
  const amounts = useWords("amounts");
  if (failure) return <ErrorPanel error={failure} onRetry={again} />;
  return (
    <p role="status" className="min-w-0 flex-1 basis-52 text-table text-muted">
      {isEmpty
        ? t("typePasteARangeOf")
        : check && isCurrent
          ? describeCheck(t, amounts, check)
          : t("checking")}
    </p>
  );
}

function describeCheck(
  t: Words<"batches">,
  amounts: Words<"amounts">,
  { rows, faults_total: faults, estimated, most_cost: cost }: BatchCheck,
) {
  if (faults === 0)
    return (
      <>
        {t.rich(
          "rowsChecked",
          { rows, estimate: estimateLabel(t, amounts, estimated), cost: maxCostLabel(t, cost) },
          {
            b: (content) => (
              <strong key="rows" className="font-medium text-good">
                {content}
              </strong>
            ),
          },
        )}
      </>
    );
  return (
    <>
      {t.rich(
        "errorsFound",
        { faults, rows },
        {
          b: (content) => (
            <strong key="errors" className="font-medium text-bad">
              {content}
            </strong>
          ),
        },
      )}
    </>
  );
}
