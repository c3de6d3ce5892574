"use client";

import { Play, Undo2 } from "lucide-react";
import { useMemo, useState } from "react";
import { batchLimits } from "#contract/batch-constants.ts";
import { moneyAmount, moneyProblem } from "@/components/keys/money-values";
import { Permitted } from "@/components/team/permitted";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/form/field";
import { Input, Select } from "@/components/ui/form/input";
import { useSend } from "@/components/ui/form/use-send";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { usePageRouter } from "@/components/ui/page/use-place";
import { sourceOf } from "@/lib/batches/draft";
import type { BatchOperation } from "@/lib/batches/operations";
import { callRoute } from "@/lib/browser/gateway";
import { newRunKey } from "@/lib/browser/runs/run-key";
import { CheckLine } from "./check-line";
import { FileChoice } from "./file-choice";
import { InputRows } from "./input-rows";
import { useBatchCheck } from "./use-batch-check";
import { useBatchDraft } from "./use-batch-draft";

interface NewBatchProps {
  operations: readonly BatchOperation[];
  initial: BatchOperation;
  accountId: string;
}

const nameOf = ({ model, apiType }: BatchOperation) => `${model}:${apiType}`;

/** Chooses the operation; each has its own inputs. */
export function NewBatch({ operations, initial, accountId }: NewBatchProps) {
  const [operation, setOperation] = useState(initial);
  return (
    <div className="flex min-w-0 flex-col gap-4" data-wide>
      <Field label="Operation" className="max-w-120">
        {(aria) => (
          <Select
            {...aria}
            value={nameOf(operation)}
            onChange={(event) =>
              setOperation(operations.find((each) => nameOf(each) === event.target.value) ?? operation)
            }
          >
            {operations.map((each) => (
              <option key={nameOf(each)} value={nameOf(each)}>
                {each.model} · {each.apiType}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <BatchInputs key={nameOf(operation)} operation={operation} accountId={accountId} />
    </div>
  );
}

function BatchInputs({ operation, accountId }: { operation: BatchOperation; accountId: string }) {
  const router = usePageRouter();
  const draft = useBatchDraft(operation, accountId);
  const checked = useBatchCheck(operation, draft.draft);
  const [name, setName] = useState("");
  const [concurrency, setConcurrency] = useState(String(batchLimits.concurrency.default));
  const [budget, setBudget] = useState("");
  const budgetFault = moneyProblem(budget);
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
  // One start of the same rows, however often it is sent.
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
            Undo
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
          These rows are too large to keep in this browser. Start the batch before you reload, or they are
          lost.
        </p>
      )}
      <div className="flex flex-wrap items-start gap-4">
        <Field label="Name" hint="A name helps you find the batch later." className="w-64 max-phone:w-full">
          {(aria) => (
            <Input
              {...aria}
              value={name}
              maxLength={batchLimits.nameMaxLength}
              onChange={(event) => setName(event.target.value)}
              autoComplete="off"
            />
          )}
        </Field>
        <Field
          label="Rows at the same time"
          hint={`${min} to ${max}. Your other runs are not held up.`}
          error={!fits && `Choose ${min} to ${max}.`}
          className="w-64 max-phone:w-full"
        >
          {(aria) => (
            <Input
              {...aria}
              type="number"
              min={min}
              max={max}
              value={concurrency}
              onChange={(event) => setConcurrency(event.target.value)}
            />
          )}
        </Field>
        <Field
          label="Budget"
          hint="Money that its rows may cost together. Beyond it the batch pauses."
          error={budgetFault}
          className="w-64 max-phone:w-full"
        >
          {(aria) => (
            <Input
              {...aria}
              value={budget}
              inputMode="decimal"
              placeholder="no limit"
              onChange={(event) => setBudget(event.target.value)}
              autoComplete="off"
            />
          )}
        </Field>
      </div>
      {operation.hasFiles && (
        <p className="max-w-[80ch] text-table text-muted">
          Each output is deleted 24 hours after it was made. In a long batch the first ones are deleted before
          the last row ends: download results while it runs.
        </p>
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
            {check?.ok ? `Start batch of ${check.rows}` : "Start batch"}
          </Button>
        </Permitted>
      </div>
    </>
  );
}
