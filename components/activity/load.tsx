"use client";

import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { type LoadList, type LoadRow, loadGroups, type OperatorLoadGroup } from "#contract/load.ts";
import { Button } from "@/components/ui/button";
import { RadioGroup } from "@/components/ui/form/radio-group";
import { type Column, RowsTable } from "@/components/ui/list/rows-table";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { Section } from "@/components/ui/page/section";
import { failureBehind, fetchRoute } from "@/lib/browser/fetch-from-gateway";
import { formatBytes, formatCount, formatDuration, formatNumber } from "@/lib/format";
import { shareText } from "@/lib/share-text";

const pollMs = 5_000;
const minutes = 5;

const heads: Record<OperatorLoadGroup, string> = {
  account: "Account",
  key: "Key",
  model: "Model",
  provider: "Provider",
  route: "Route",
  region: "Region",
};

const none: Record<OperatorLoadGroup, string> = {
  account: "Requests without a key",
  key: "Requests without a key",
  model: "No model",
  provider: "No provider",
  route: "Predictions and batches",
  region: "No region",
};

interface LoadProps {
  /** Of all accounts, for operators; or of the account. */
  of: "everyone" | "account";
  /** What can be done about a row, such as limiting its key. */
  action: (row: LoadRow) => ReactNode;
}

/** Who loads the system in these minutes. It reads itself, so that no page waits for it. */
export function Load({ of, action }: LoadProps) {
  const [by, setBy] = useState<OperatorLoadGroup>(of === "everyone" ? "account" : "key");
  const [account, setAccount] = useState<{ id: string; name: string } | null>(null);
  const { data, error, refetch } = useQuery({
    queryKey: ["load", of, by, account?.id],
    queryFn: ({ signal }) =>
      of === "everyone"
        ? fetchRoute("GET /operator/load", {
            query: { by, minutes, ...(account && { account_id: account.id }) },
            signal,
          })
        : fetchRoute("GET /account/load", { query: { by: by === "account" ? "key" : by, minutes }, signal }),
    placeholderData: (previous) => previous,
    refetchInterval: pollMs,
  });
  const failure = failureBehind(error);
  const groups = of === "everyone" && account === null ? (["account", ...loadGroups] as const) : loadGroups;
  return (
    <Section
      title={account ? `Load of ${account.name} now` : "Load now"}
      description={`The last ${minutes} minutes. Processor time is an estimate: what each process used is shared out by the number and the bytes of requests.`}
      actions={
        <>
          {account && (
            <Button
              onClick={() => {
                setAccount(null);
                setBy("account");
              }}
            >
              All accounts
            </Button>
          )}
          <RadioGroup
            legend="Load by"
            hideLegend
            appearance="segments"
            options={groups.map((value) => ({ value, label: heads[value] }))}
            value={by}
            onChange={setBy}
          />
        </>
      }
    >
      {failure && <ErrorPanel error={failure} onRetry={() => void refetch()} />}
      {data &&
        (data.data.length === 0 ? (
          <p className="text-muted">Nothing ran in the last {minutes} minutes.</p>
        ) : (
          <LoadTable
            list={data}
            showsAccounts={of === "everyone" && account === null}
            action={action}
            onAccount={(id, name) => {
              setAccount({ id, name });
              setBy("key");
            }}
          />
        ))}
    </Section>
  );
}

interface LoadTableProps {
  list: LoadList;
  action: LoadProps["action"];
  /** Whether keys say whose they are. */
  showsAccounts: boolean;
  /** Shows the load of one account. */
  onAccount: (id: string, name: string) => void;
}

function LoadTable({ list, action, showsAccounts, onAccount }: LoadTableProps) {
  const { by, total } = list;
  const hasDeliveries = by === "account" && total.deliveries > 0;
  const rows = list.data.map((row) => ({ ...row, id: `${row.account_id} ${row.group}` }));
  const columns: readonly (Column<(typeof rows)[number]> | false)[] = [
    {
      head: heads[by],
      cellClass: "wrap-anywhere",
      cell: ({ group, name, account_id, account_name }) => {
        if (group === null) return none[by];
        if (group === "*") return "All others";
        const label = name ?? group;
        if (by === "account" && account_id)
          return (
            <button
              type="button"
              className="text-left text-accent hover:underline"
              onClick={() => onAccount(account_id, label)}
            >
              {label}
            </button>
          );
        return (
          <>
            <span className={name === null ? "font-mono text-meta" : ""}>{label}</span>
            {by === "key" && (
              <span className="block text-meta text-muted">
                {[group.startsWith("usr_") && "signed in", showsAccounts && account_name]
                  .filter(Boolean)
                  .join(", ")}
              </span>
            )}
          </>
        );
      },
    },
    { head: "Requests", numeric: true, from: "tablet", cell: ({ requests }) => formatNumber(requests) },
    {
      head: "Processor time",
      numeric: true,
      from: "tablet",
      cell: ({ processor_ms: ms }) => (
        <>
          {formatDuration(ms)}
          <span className="block text-meta text-muted">{shareText(ms, total.processor_ms)}</span>
        </>
      ),
    },
    {
      head: "Received",
      numeric: true,
      from: "desktop",
      cellClass: "whitespace-nowrap",
      cell: ({ bytes_in }) => formatBytes(bytes_in),
    },
    {
      head: "Sent",
      numeric: true,
      from: "desktop",
      cellClass: "whitespace-nowrap",
      cell: ({ bytes_out }) => formatBytes(bytes_out),
    },
    { head: "Running", numeric: true, from: "tablet", cell: ({ running }) => formatNumber(running) },
    { head: "Waiting", numeric: true, from: "tablet", cell: ({ waiting }) => formatNumber(waiting) },
    hasDeliveries && {
      head: "Deliveries",
      numeric: true,
      from: "tablet",
      cell: ({ deliveries }) => (deliveries === null ? "–" : formatNumber(deliveries)),
    },
    (by === "account" || by === "key") && {
      head: <span className="sr-only">Actions</span>,
      cellClass: "text-right",
      cell: (row) => (row.group === null || row.group === "*" ? null : action(row)),
    },
  ];
  return (
    <>
      <RowsTable label={`Load by ${heads[by].toLowerCase()}`} rows={rows} columns={columns} />
      <p className="mt-2 text-table text-muted">
        Together {formatCount(total.requests, "request")}, {formatDuration(total.processor_ms)} of processor
        time, {formatBytes(total.bytes_in)} received, {formatBytes(total.bytes_out)} sent,{" "}
        {formatNumber(total.running)} running, {formatNumber(total.waiting)} waiting and{" "}
        {formatCount(total.deliveries, "delivery", "deliveries")} due.
      </p>
    </>
  );
}
