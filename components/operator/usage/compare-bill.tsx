"use client";

import { useQuery } from "@tanstack/react-query";
import { FileUp } from "lucide-react";
import { useMemo, useRef, useState } from "react";
import { useWords } from "#words";
import { Button } from "@/components/ui/button";
import { Select } from "@/components/ui/form/input";
import { SelectField } from "@/components/ui/form/input-fields";
import { RowControls, Table, Td, Th, Tr } from "@/components/ui/list/table";
import { EmptyState } from "@/components/ui/page/empty-state";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { Section } from "@/components/ui/page/section";
import { Skeleton } from "@/components/ui/page/skeleton";
import { failureBehind, fetchRoute } from "@/lib/browser/fetch-from-gateway";
import { formatBytes } from "@/lib/format";
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
  const t = useWords("operatorUsage");
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
        localFailure(
          "file_too_large",
          t("fileTooLarge", { name: file.name, size: formatBytes(billLimits.bytes) }),
        ),
      );
    const read = readBill(t, await file.text());
    if (typeof read === "string")
      return setFailure(localFailure("invalid_file", t("fileProblem", { name: file.name, problem: read })));
    setBill({ ...read, fileName: file.name });
    setColumns(proposeColumns(read, currency));
  };

  const read = useMemo(() => {
    if (!bill || columns.day < 0 || columns.model < 0 || columns.amount < 0) return null;
    const form = { ...proposeForm(bill, columns, currency), ...answers };
    return { form, sums: sumBill(t, bill, columns, { ...form, currency }) };
  }, [t, bill, columns, answers, currency]);
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
          aria-label={t("bill")}
          accept=".csv,.tsv,text/csv"
          onChange={(event) => {
            void take(event.target.files?.[0]);
            event.target.value = "";
          }}
        />
        <Button icon={<FileUp size={16} aria-hidden />} onClick={() => input.current?.click()}>
          {bill ? t("chooseAnotherBill") : t("chooseCsvFile")}
        </Button>
        {bill && (
          <span className="text-table text-muted wrap-anywhere">
            {t("fileWithRows", { name: bill.fileName, count: bill.rows.length })}
          </span>
        )}
      </div>
      {failure && <ErrorPanel error={failure} />}
      {!bill && !failure && <EmptyState title={t("noBillYet")} body={t("downloadAProvidersCostReport")} />}
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
          error={localFailure("invalid_file", t("otherCurrency", { other: sums.otherCurrency, currency }))}
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
  { name: "day", label: "day" },
  { name: "model", label: "model" },
  { name: "amount", label: "amount" },
] as const;

/** Which columns are read and how, and the lines that could not be read. */
function BillColumnFields(props: BillColumnFieldsProps) {
  const t = useWords("operatorUsage");
  const { bill, columns, read, providers, provider, onColumns, onProvider, onAnswer } = props;
  const sums = read?.sums;
  return (
    <Section title={t("meaningOfTheColumns")} description={t("theColumnsWereGuessedFrom")} className="mb-0!">
      <div className="grid max-w-4xl gap-4 phone:grid-cols-2 tablet:grid-cols-4">
        {columnFields.map(({ name, label }) => (
          <SelectField
            key={name}
            label={t(label)}
            required
            value={String(columns[name])}
            onValue={(value) => onColumns({ ...columns, [name]: Number(value) })}
            options={[
              ["-1", t("chooseAColumn")],
              ...bill.columns.map(
                (column, at) => [String(at), column || t("columnNumber", { number: at + 1 })] as const,
              ),
            ]}
          />
        ))}
        <SelectField
          label={t("provider")}
          value={provider}
          onValue={onProvider}
          options={[["", t("allProviders")], ...providers]}
        />
      </div>
      {read && <FormFields form={read.form} asks={read.sums.asks} onChoose={onAnswer} />}
      {sums && sums.faultsTotal > 0 && (
        <details className="mt-3 text-table" open={sums.asks.size > 0}>
          <summary className="w-fit text-warn">
            {t(sums.asks.size === 0 ? "linesLeftOut" : "linesUnreadable", { count: sums.faultsTotal })}
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
  const t = useWords("operatorUsage");
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
      title={t("differences")}
      description={t("fromFromToToIn", { from: sums.from, to: sums.to, currency })}
    >
      {data.has_more && (
        <p role="alert" className="mb-2 text-table text-warn">
          {t("thereIsTooMuchUsage")}
        </p>
      )}
      <Table label={t("differences")}>
        <thead>
          <tr>
            <Th>{t("dayUtc")}</Th>
            <Th>{t("model")}</Th>
            <Th numeric>{t("billed")}</Th>
            <Th numeric>{t("countedByThisGateway")}</Th>
            <Th numeric>{t("difference")}</Th>
            <Th>
              <span className="sr-only">{t("runs")}</span>
            </Th>
          </tr>
        </thead>
        <tbody>
          <Tr className="font-medium">
            <Td>{t("allDays")}</Td>
            <Td>{t("allModels")}</Td>
            <Amount value={theirs} />
            <Amount value={ours} />
            <Amount value={difference} />
            <Td />
          </Tr>
          {rows.slice(0, shownRows).map((row) => (
            <Tr key={`${row.day} ${row.isOurs} ${row.model}`}>
              <Td className="tabular whitespace-nowrap">{row.day}</Td>
              <Td className="max-w-64 font-mono wrap-anywhere">
                {row.model || t("empty")}
                {!row.isOurs && (
                  <span className="block font-sans text-meta text-muted">{t("unknownModel")}</span>
                )}
                {row.notPriced > 0 && (
                  <span className="block font-sans text-meta text-warn">
                    {t("runsNotPriced", { count: row.notPriced })}
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
                      {t.rich(
                        "runsOfModelOnDay",
                        { model: row.model, day: row.day },
                        {
                          sr: (text) => (
                            <span key="of" className="sr-only">
                              {text}
                            </span>
                          ),
                        },
                      )}
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
          {t("largestOf", { shown: shownRows, count: rows.length })}
        </p>
      )}
      {opened && (
        <RunsBehind
          title={t("modelOnDay", { model: opened.model, day: opened.day })}
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
  const t = useWords("operatorUsage");
  return (
    <div className="mt-4 grid max-w-4xl gap-4 phone:grid-cols-2 tablet:grid-cols-4">
      {(form.decimal !== null || asks.has("decimal")) && (
        <SelectField
          label={t("decimalSign")}
          required
          error={asks.has("decimal") && t("someAmountsCanBeRead")}
          value={form.decimal ?? ""}
          onValue={(decimal) => onChoose({ decimal: decimal || null })}
          options={[
            ...(form.decimal === null ? ([["", t("chooseSign")]] as const) : []),
            [".", t("pointSign")],
            [",", t("commaSign")],
          ]}
        />
      )}
      {(form.dayFirst !== null || asks.has("dayFirst")) && (
        <SelectField
          label={t("dates")}
          required
          error={asks.has("dayFirst") && t("someDatesCanBeRead")}
          value={form.dayFirst === null ? "" : String(form.dayFirst)}
          onValue={(order) => onChoose({ dayFirst: order === "true" })}
          options={[
            ...(form.dayFirst === null ? ([["", t("chooseOrder")]] as const) : []),
            ["true", t("dayFirst")],
            ["false", t("monthFirst")],
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
  const t = useWords("operatorUsage");
  const unknown = names.filter((name) => !models.has(name)).length;
  return (
    <details open={unknown > 0 && unknown < 20}>
      <summary className="w-fit rounded-control text-table">
        {t("namesMatched", { count: names.length, unknown })}
      </summary>
      <div className="mt-2 max-w-3xl">
        <Table label={t("namesOfTheBill")}>
          <thead>
            <tr>
              <Th>{t("onTheBill")}</Th>
              <Th>{t("modelHere")}</Th>
            </tr>
          </thead>
          <tbody>
            {names.map((name) => (
              <Tr key={name}>
                <Td className="max-w-80 font-mono wrap-anywhere">{name || t("empty")}</Td>
                <Td className="min-w-48">
                  <Select
                    aria-label={t("modelOf", { name: name || t("emptyName") })}
                    value={models.get(name) ?? ""}
                    onChange={(event) => onChoose(name, event.currentTarget.value)}
                  >
                    <option value="">{t("noneNotOneOfOurs")}</option>
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
