"use client";

import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { type LoadList, type LoadRow, loadGroups, type OperatorLoadGroup } from "#contract/load.ts";
import { useFormats, useWords } from "#words";
import { Button } from "@/components/ui/button";
import { RadioGroup } from "@/components/ui/form/radio-group";
import { type Column, RowsTable } from "@/components/ui/list/rows-table";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { Section } from "@/components/ui/page/section";
import { failureBehind, fetchRoute } from "@/lib/browser/fetch-from-gateway";
import { formatBytes } from "@/lib/format";
import { shareText } from "@/lib/share-text";
import type { Key } from "@/messages/words";

const pollMs = 5_000;
const minutes = 5;

const none: Record<OperatorLoadGroup, Key<"load">> = {
  account: "noKey",
  key: "noKey",
  model: "noModel",
  provider: "noProvider",
  route: "noRoute",
  region: "noRegion",
};

interface LoadProps {
  /** Of all accounts, for operators; or of the account. */
  of: "everyone" | "account";
  /** What can be done about a row, such as limiting its key. */
  action: (row: LoadRow) => ReactNode;
}

/** Who loads the system in these minutes. It reads itself, so that no page waits for it. */
export function Load({ of, action }: LoadProps) {
  const t = useWords("load");
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
      title={account ? t("loadOfNow", { name: account.name }) : t("loadNow")}
      description={t("howItIsMeasured", { minutes })}
      actions={
        <>
          {account && (
            <Button
              onClick={() => {
                setAccount(null);
                setBy("account");
              }}
            >
              {t("allAccounts")}
            </Button>
          )}
          <RadioGroup
            legend={t("loadBy")}
            hideLegend
            appearance="segments"
            options={groups.map((value) => ({ value, label: t(value) }))}
            value={by}
            onChange={setBy}
          />
        </>
      }
    >
      {failure && <ErrorPanel error={failure} onRetry={() => void refetch()} />}
      {data &&
        (data.data.length === 0 ? (
          <p className="text-muted">{t("nothingRan", { minutes })}</p>
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
  const t = useWords("load");
  const format = useFormats();
  const { by, total } = list;
  const hasDeliveries = by === "account" && total.deliveries > 0;
  const rows = list.data.map((row) => ({ ...row, id: `${row.account_id} ${row.group}` }));
  const columns: readonly (Column<(typeof rows)[number]> | false)[] = [
    {
      head: t(by),
      cellClass: "wrap-anywhere",
      cell: ({ group, name, account_id, account_name }) => {
        if (group === "*") return t("allOthers");
        const label = group === null ? t(none[by]) : (name ?? group);
        if (by === "account" && group !== null && account_id)
          return (
            <button
              type="button"
              translate="no"
              className="text-left text-accent hover:underline"
              onClick={() => onAccount(account_id, label)}
            >
              {label}
            </button>
          );
        return (
          <>
            <span
              translate={group === null ? undefined : "no"}
              className={group !== null && name === null ? "font-mono text-meta" : ""}
            >
              {label}
            </span>
            {by === "key" && (
              <span className="block text-meta text-muted">
                {format.list(
                  [
                    group?.startsWith("usr_") ? t("signedIn") : null,
                    showsAccounts ? account_name : null,
                  ].filter((text) => text !== null && text !== undefined),
                )}
              </span>
            )}
          </>
        );
      },
    },
    { head: t("requests"), numeric: true, from: "tablet", cell: ({ requests }) => format.number(requests) },
    {
      head: t("processorTime"),
      numeric: true,
      from: "tablet",
      cell: ({ processor_ms: ms }) => (
        <>
          {format.duration(ms)}
          <span className="block text-meta text-muted">{shareText(format, ms, total.processor_ms)}</span>
        </>
      ),
    },
    {
      head: t("received"),
      numeric: true,
      from: "desktop",
      cellClass: "whitespace-nowrap",
      cell: ({ bytes_in }) => formatBytes(bytes_in),
    },
    {
      head: t("sent"),
      numeric: true,
      from: "desktop",
      cellClass: "whitespace-nowrap",
      cell: ({ bytes_out }) => formatBytes(bytes_out),
    },
    { head: t("running"), numeric: true, from: "tablet", cell: ({ running }) => format.number(running) },
    { head: t("waiting"), numeric: true, from: "tablet", cell: ({ waiting }) => format.number(waiting) },
    hasDeliveries && {
      head: t("deliveries"),
      numeric: true,
      from: "tablet",
      cell: ({ deliveries }) => (deliveries === null ? "–" : format.number(deliveries)),
    },
    (by === "account" || by === "key") && {
      head: <span className="sr-only">{t("actions")}</span>,
      cellClass: "text-right",
      cell: (row) => (row.group === null || row.group === "*" ? null : action(row)),
    },
  ];
  return (
    <>
      <RowsTable label={t("loadByWhat", { what: t(by).toLowerCase() })} rows={rows} columns={columns} />
      <p className="mt-2 text-table text-muted">
        {t("together", {
          requests: total.requests,
          processor: format.duration(total.processor_ms),
          received: formatBytes(total.bytes_in),
          sent: formatBytes(total.bytes_out),
          running: total.running,
          waiting: total.waiting,
          deliveries: total.deliveries,
        })}
      </p>
    </>
  );
}
