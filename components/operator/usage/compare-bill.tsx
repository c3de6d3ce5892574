"use client";

import { useQuery } from "@tanstack/react-query";
import { FileUp } from "lucide-react";
import { useMemo, useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { Select } from "@/components/ui/form/input";
import { SelectField } from "@/components/ui/form/input-fields";
import { RowControls, Table, Td, Th, Tr } from "@/components/ui/list/table";
import { EmptyState } from "@/components/ui/page/empty-state";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { Section } from "@/components/ui/page/section";
import { Skeleton } from "@/components/ui/page/skeleton";
import { failureBehind, fetchRoute } from "@/lib/browser/fetch-from-gateway";
import { formatBytes, formatCount } from "@/lib/format";
import { type GatewayFailure, localFailure } from "@/lib/gateway/result";
import { formatAmount } from "@/lib/money";
import {
  type Bill,
  type BillColumns,
  type BillDifference,
  type BillForm,
  type BillSums,
  billLimits,
  compareBill,
  proposeColumns,
  proposeForm,
  proposeModels,
  readBill,
  sumBill,
} from "@/lib/operator/bill/compare-bill";
import type { MappedOperation } from "@/lib/operator/route-entry";
import { RunsBehind } from "./runs-behind.tsx";

interface CompareBillProps {
  providers: readonly string[];
  operations: readonly MappedOperation[];
  /** The installation's currency. A bill in another currency cannot be compared. */
  currency: string;
}

/** Reads a bill, assigns its columns and our models, and shows the differences. */
export function CompareBill({ providers, operations, currency }: CompareBillProps) {
  const input = useRef<HTMLInputElement>(null);
  const [failure, setFailure] = useState<GatewayFailure | null>(null);
  const [bill, setBill] = useState<(Bill & { fileName: string }) | null>(null);
  const [columns, setColumns] = useState<BillColumns>({ day: -1, model: -1, amount: -1 });
  /**
   * The user's answers where the bill's numbers or dates can be read in two ways. All other formats are
   * guessed.
   */
  const [answers, setAnswers] = useState<Partial<BillForm>>({});
  const [provider, setProvider] = useState(providers.length === 1 ? (providers[0] ?? "") : "");
  const [chosen, setChosen] = useState<ReadonlyMap<string, string>>(new Map());

  const take = async (file: File | undefined) => {
    if (!file) return;
    setFailure(null);
    setBill(null);
    setChosen(new Map());
    setAnswers({});
    if (file.size > billLimits.bytes)
      return setFailure(
        localFailure("file_too_large", `${file.name} is larger than ${formatBytes(billLimits.bytes)}.`),
      );
    const read = readBill(await file.text());
    if (typeof read === "string") return setFailure(localFailure("invalid_file", `${file.name}: ${read}`));
    setBill({ ...read, fileName: file.name });
    setColumns(proposeColumns(read, currency));
  };

  const read = useMemo(() => {
    if (!bill || columns.day < 0 || columns.model < 0 || columns.amount < 0) return null;
    const form = { ...proposeForm(bill, columns, currency), ...answers };
    return { form, sums: sumBill(bill, columns, { ...form, currency }) };
  }, [bill, columns, answers, currency]);
  const sums = read?.sums;
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
          body="Download a provider's cost report as CSV, with a line for each day and model, and choose the file here. The file stays in this browser."
        />
      )}
      {bill && (
        <BillColumnFields
          {...{ bill, columns, read, providers, provider }}
          onColumns={setColumns}
          onProvider={setProvider}
          onAnswer={(form) => setAnswers({ ...answers, ...form })}
        />
      )}
      {sums?.otherCurrency && (
        <ErrorPanel
          error={localFailure(
            "invalid_file",
            `The bill is in ${sums.otherCurrency}, but this installation uses ${currency}. Amounts are never converted. Choose a bill in ${currency}.`,
          )}
        />
      )}
      {sums && sums.sums.length > 0 && sums.asks.size === 0 && !sums.otherCurrency && (
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

interface BillColumnFieldsProps {
  bill: Bill;
  columns: BillColumns;
  read: { form: BillForm; sums: BillSums } | null;
  providers: readonly string[];
  /** Empty: all. */
  provider: string;
  onColumns: (columns: BillColumns) => void;
  onProvider: (provider: string) => void;
  onAnswer: (form: Partial<BillForm>) => void;
}

const columnFields = [
  { name: "day", label: "Day" },
  { name: "model", label: "Model" },
  { name: "amount", label: "Amount" },
] as const;

/** Which columns are read and how, and the lines that could not be read. */
function BillColumnFields(props: BillColumnFieldsProps) {
  const { bill, columns, read, providers, provider, onColumns, onProvider, onAnswer } = props;
  const sums = read?.sums;
  return (
    <Section
      title="Meaning of the columns"
      description="The columns were guessed from their names and values. Correct them if necessary."
      className="mb-0!"
    >
      <div className="grid max-w-4xl gap-4 phone:grid-cols-2 tablet:grid-cols-4">
        {columnFields.map(({ name, label }) => (
          <SelectField
            key={name}
            label={label}
            required
            value={String(columns[name])}
            onValue={(value) => onColumns({ ...columns, [name]: Number(value) })}
            options={[
              ["-1", "Choose a column"],
              ...bill.columns.map((column, at) => [String(at), column || `Column ${at + 1}`] as const),
            ]}
          />
        ))}
        <SelectField
          label="Provider"
          value={provider}
          onValue={onProvider}
          options={[["", "All providers"], ...providers]}
        />
      </div>
      {read && <FormFields form={read.form} asks={read.sums.asks} onChoose={onAnswer} />}
      {sums && sums.faultsTotal > 0 && (
        <details className="mt-3 text-table" open={sums.asks.size > 0}>
          <summary className="w-fit text-warn">
            {formatCount(sums.faultsTotal, "line")} could not be read
            {sums.asks.size === 0 && ", and are left out"}
          </summary>
          <ul className="mt-1 list-disc pl-5 text-muted wrap-anywhere">
            {sums.faults.map((fault) => (
              <li key={fault}>{fault}</li>
            ))}
          </ul>
        </details>
      )}
    </Section>
  );
}

interface BillDifferencesProps {
  sums: BillSums;
  models: ReadonlyMap<string, string>;
  /** Empty: all. */
  provider: string;
}

const shownRows = 200;

/** The bill's sums and ours by day and model, the largest difference first, with the runs behind ours. */
function BillDifferences({ sums, models, provider }: BillDifferencesProps) {
  const [opened, setOpened] = useState<BillDifference | null>(null);
  const query = { from: sums.from, to: sums.to, group_by: "day,model", ...(provider && { provider }) };
  const { data, error, refetch } = useQuery({
    queryKey: ["operator", "usage", query],
    queryFn: ({ signal }) => fetchRoute("GET /operator/usage", { query, signal }),
    retry: false,
  });
  const failure = failureBehind(error);
  if (failure) return <ErrorPanel error={failure} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton className="h-48 w-full" />;
  const { currency } = data.total.cost;
  const { rows, theirs, ours, difference } = compareBill(sums, data.data, models);
  return (
    <Section
      title="Differences"
      description={`From ${sums.from} to ${sums.to}, in ${currency}. A positive difference means that the provider billed more than this gateway counted.`}
    >
      {data.has_more && (
        <p role="alert" className="mb-2 text-table text-warn">
          There is too much usage to compare at once. Choose a bill for a shorter period.
        </p>
      )}
      <Table label="Differences">
        <thead>
          <tr>
            <Th>Day (UTC)</Th>
            <Th>Model</Th>
            <Th numeric>Billed</Th>
            <Th numeric>Counted by this gateway</Th>
            <Th numeric>Difference</Th>
            <Th>
              <span className="sr-only">Runs</span>
            </Th>
          </tr>
        </thead>
        <tbody>
          <Tr className="font-medium">
            <Td>All days</Td>
            <Td>All models</Td>
            <Amount value={theirs} />
            <Amount value={ours} />
            <Amount value={difference} />
            <Td />
          </Tr>
          {rows.slice(0, shownRows).map((row) => (
            <Tr key={`${row.day} ${row.isOurs} ${row.model}`}>
              <Td className="tabular whitespace-nowrap">{row.day}</Td>
              <Td className="max-w-64 font-mono wrap-anywhere">
                {row.model || "(empty)"}
                {!row.isOurs && <span className="block font-sans text-meta text-muted">unknown model</span>}
                {row.notPriced > 0 && (
                  <span className="block font-sans text-meta text-warn">
                    {formatCount(row.notPriced, "run")} not priced
                  </span>
                )}
              </Td>
              <Amount value={row.theirs} />
              <Amount value={row.ours} />
              <Amount value={row.difference} />
              <Td className="text-right">
                {row.isOurs && (
                  <RowControls>
                    <Button size="sm" onClick={() => setOpened(row)}>
                      Runs
                      <span className="sr-only">
                        {" "}
                        of {row.model} on {row.day}
                      </span>
                    </Button>
                  </RowControls>
                )}
              </Td>
            </Tr>
          ))}
        </tbody>
      </Table>
      {rows.length > shownRows && (
        <p className="mt-2 text-meta text-muted">
          The {shownRows} largest differences of {formatCount(rows.length, "row")}.
        </p>
      )}
      {opened && (
        <RunsBehind
          title={`${opened.model} on ${opened.day}`}
          query={{ from: opened.day, to: opened.day, model: opened.model, ...(provider && { provider }) }}
          currency={currency}
          onClose={() => setOpened(null)}
        />
      )}
    </Section>
  );
}

function Amount({ value }: { value: string | null }) {
  return (
    <Td numeric>
      {value === null ? (
        <span className="text-faint">–</span>
      ) : (
        <span title={value} className="whitespace-nowrap">
          {formatAmount(value)}
        </span>
      )}
    </Td>
  );
}

interface FormFieldsProps {
  form: BillForm;
  asks: ReadonlySet<keyof BillForm>;
  onChoose: (form: Partial<BillForm>) => void;
}

/**
 * Asks how the bill writes numbers and dates. The comparison waits while any line can be read in two ways.
 */
function FormFields({ form, asks, onChoose }: FormFieldsProps) {
  return (
    <div className="mt-4 grid max-w-4xl gap-4 phone:grid-cols-2 tablet:grid-cols-4">
      {(form.decimal !== null || asks.has("decimal")) && (
        <SelectField
          label="Decimal sign"
          required
          error={asks.has("decimal") && "Some amounts can be read in two ways. Choose the right one."}
          value={form.decimal ?? ""}
          onValue={(decimal) => onChoose({ decimal: decimal || null })}
          options={[
            ...(form.decimal === null ? ([["", "Choose the sign"]] as const) : []),
            [".", "Point, as in 1,234.50"],
            [",", "Comma, as in 1.234,50"],
          ]}
        />
      )}
      {(form.dayFirst !== null || asks.has("dayFirst")) && (
        <SelectField
          label="Dates"
          required
          error={asks.has("dayFirst") && "Some dates can be read in two ways. Choose the right one."}
          value={form.dayFirst === null ? "" : String(form.dayFirst)}
          onValue={(order) => onChoose({ dayFirst: order === "true" })}
          options={[
            ...(form.dayFirst === null ? ([["", "Choose the order"]] as const) : []),
            ["true", "Day first: 31/12/2026"],
            ["false", "Month first: 12/31/2026"],
          ]}
        />
      )}
    </div>
  );
}

interface BillModelsProps {
  /** The names that the bill uses for models. */
  names: readonly string[];
  /** Our model for each of these names. */
  models: ReadonlyMap<string, string>;
  known: readonly string[];
  onChoose: (name: string, model: string) => void;
}

/** Our model for each name in the bill. Collapsed if all are known. */
function BillModels({ names, models, known, onChoose }: BillModelsProps) {
  const unknown = names.filter((name) => !models.has(name)).length;
  return (
    <details open={unknown > 0 && unknown < 20}>
      <summary className="w-fit rounded-control text-table">
        {formatCount(names.length, "name")} of the bill
        {unknown > 0 ? `, ${unknown} of them without a matching model` : ", all of them matched"}
      </summary>
      <div className="mt-2 max-w-3xl">
        <Table label="Names of the bill">
          <thead>
            <tr>
              <Th>On the bill</Th>
              <Th>Model here</Th>
            </tr>
          </thead>
          <tbody>
            {names.map((name) => (
              <Tr key={name}>
                <Td className="max-w-80 font-mono wrap-anywhere">{name || "(empty)"}</Td>
                <Td className="min-w-48">
                  <Select
                    aria-label={`Model of ${name || "the empty name"}`}
                    value={models.get(name) ?? ""}
                    onChange={(event) => onChoose(name, event.currentTarget.value)}
                  >
                    <option value="">None: not one of ours</option>
                    {known.map((model) => (
                      <option key={model} value={model}>
                        {model}
                      </option>
                    ))}
                  </Select>
                </Td>
              </Tr>
            ))}
          </tbody>
        </Table>
      </div>
    </details>
  );
}
