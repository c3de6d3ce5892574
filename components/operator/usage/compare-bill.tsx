"use client";

import { FileUp } from "lucide-react";
import { useMemo, useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/form/field";
import { Select } from "@/components/ui/form/input";
import { EmptyState } from "@/components/ui/page/empty-state";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { Section } from "@/components/ui/page/section";
import { formatBytes, formatCount } from "@/lib/format";
import { type GatewayFailure, localFailure } from "@/lib/gateway/result";
import { proposeModels, sumBill } from "@/lib/operator/bill/compare-bill";
import {
  type Bill,
  type BillColumns,
  billLimits,
  proposeColumns,
  readBill,
} from "@/lib/operator/bill/read-bill";
import type { MappedOperation } from "@/lib/operator/route-entry";
import { BillDifferences } from "./bill-differences.tsx";
import { BillModels } from "./bill-models.tsx";

interface CompareBillProps {
  providers: readonly string[];
  operations: readonly MappedOperation[];
}

const columnFields = [
  { name: "day", label: "Day" },
  { name: "model", label: "Model" },
  { name: "amount", label: "Amount" },
] as const;

/** A bill, which of its columns say what, which of our models it means, and the differences. */
export function CompareBill({ providers, operations }: CompareBillProps) {
  const input = useRef<HTMLInputElement>(null);
  const [failure, setFailure] = useState<GatewayFailure | null>(null);
  const [bill, setBill] = useState<(Bill & { fileName: string }) | null>(null);
  const [columns, setColumns] = useState<BillColumns>({ day: -1, model: -1, amount: -1 });
  const [provider, setProvider] = useState(providers.length === 1 ? (providers[0] ?? "") : "");
  const [chosen, setChosen] = useState<ReadonlyMap<string, string>>(new Map());

  const take = async (file: File | undefined) => {
    if (!file) return;
    setFailure(null);
    setBill(null);
    setChosen(new Map());
    if (file.size > billLimits.bytes)
      return setFailure(
        localFailure("file_too_large", `${file.name} is larger than ${formatBytes(billLimits.bytes)}.`),
      );
    const read = readBill(await file.text());
    if (typeof read === "string") return setFailure(localFailure("invalid_file", `${file.name}: ${read}`));
    setBill({ ...read, fileName: file.name });
    setColumns(proposeColumns(read));
  };

  const sums = useMemo(
    () =>
      bill && columns.day >= 0 && columns.model >= 0 && columns.amount >= 0 ? sumBill(bill, columns) : null,
    [bill, columns],
  );
  const names = useMemo(() => [...new Set(sums?.sums.map(({ model }) => model))].sort(), [sums]);
  const proposed = useMemo(() => {
    const routes = operations.flatMap(({ model, chain }) =>
      chain
        .filter((route) => provider === "" || route.provider === provider)
        .map(({ upstreamModel }) => ({ model, upstreamModel })),
    );
    return proposeModels(names, routes);
  }, [names, operations, provider]);
  const models = useMemo(
    () => new Map([...proposed, ...chosen].filter(([, model]) => model !== "")),
    [proposed, chosen],
  );

  return (
    <div className="space-y-6">
      <div className="flex flex-wrap items-center gap-2">
        <input
          ref={input}
          type="file"
          hidden
          aria-label="Bill"
          accept=".csv,.tsv,text/csv"
          onChange={(event) => {
            void take(event.target.files?.[0]);
            event.target.value = "";
          }}
        />
        <Button icon={<FileUp size={16} aria-hidden />} onClick={() => input.current?.click()}>
          {bill ? "Choose another bill" : "Choose CSV file"}
        </Button>
        {bill && (
          <span className="text-table text-muted wrap-anywhere">
            {bill.fileName}, {formatCount(bill.rows.length, "row")}
          </span>
        )}
      </div>
      {failure && <ErrorPanel error={failure} />}
      {!bill && !failure && (
        <EmptyState
          title="No bill yet"
          body="Download the cost report of a provider as CSV, with a line for each day and model, and choose it here."
        />
      )}
      {bill && (
        <Section
          title="What its columns are"
          description="Proposed from their names and values."
          className="mb-0!"
        >
          <div className="grid max-w-4xl gap-4 phone:grid-cols-2 tablet:grid-cols-4">
            {columnFields.map(({ name, label }) => (
              <Field key={name} label={label} required>
                {(aria) => (
                  <Select
                    {...aria}
                    value={String(columns[name])}
                    onChange={(event) =>
                      setColumns({ ...columns, [name]: Number(event.currentTarget.value) })
                    }
                  >
                    <option value="-1">Choose a column</option>
                    {bill.columns.map((column, at) => (
                      // biome-ignore lint/suspicious/noArrayIndexKey: two columns may have the same name.
                      <option key={at} value={at}>
                        {column || `Column ${at + 1}`}
                      </option>
                    ))}
                  </Select>
                )}
              </Field>
            ))}
            <Field label="Whose bill">
              {(aria) => (
                <Select
                  {...aria}
                  value={provider}
                  onChange={(event) => setProvider(event.currentTarget.value)}
                >
                  <option value="">All providers</option>
                  {providers.map((name) => (
                    <option key={name} value={name}>
                      {name}
                    </option>
                  ))}
                </Select>
              )}
            </Field>
          </div>
          {sums && sums.faultsTotal > 0 && (
            <details className="mt-3 text-table">
              <summary className="w-fit text-warn">
                {formatCount(sums.faultsTotal, "line")} could not be read, and are left out
              </summary>
              <ul className="mt-1 list-disc pl-5 text-muted wrap-anywhere">
                {sums.faults.map((fault) => (
                  <li key={fault}>{fault}</li>
                ))}
              </ul>
            </details>
          )}
        </Section>
      )}
      {sums && sums.sums.length > 0 && (
        <>
          <BillModels
            names={names}
            models={models}
            known={[...new Set(operations.map(({ model }) => model))]}
            onChoose={(name, model) => setChosen(new Map([...chosen, [name, model]]))}
          />
          <BillDifferences sums={sums} models={models} provider={provider} />
        </>
      )}
    </div>
  );
}
