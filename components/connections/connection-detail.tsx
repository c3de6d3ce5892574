"use client";

import dynamic from "next/dynamic";
import { useState } from "react";
import type { ConnectionEnd } from "#contract/connection-constants.ts";
import type { Connection } from "#contract/connections.ts";
import type { List } from "#contract/list.ts";
import type { RequestRow, UsageList, UsageRow } from "#contract/usage.ts";
import { useWords } from "#words";
import { RequestTable } from "@/components/audit/request-table";
import { BudgetUse } from "@/components/keys/budget-use";
import { keyLook, scopeLabel } from "@/components/keys/key-labels";
import { useAccess } from "@/components/team/access";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Facts } from "@/components/ui/facts";
import { RowsTable } from "@/components/ui/list/rows-table";
import { LoadFailure } from "@/components/ui/page/error-panel";
import { usePageRouter } from "@/components/ui/page/link";
import { PageHeader } from "@/components/ui/page/page-header";
import { Section } from "@/components/ui/page/section";
import { Time, useNow } from "@/components/ui/time";
import type { GatewayResult } from "@/lib/gateway/result";
import { usageLabel } from "@/lib/usage-label";
import { listText } from "@/lib/words/list-text";
import type { Words } from "@/messages/words";
import type { ConnectionQuestion } from "./connection-dialogs.tsx";
import { ConnectionStatus } from "./connections-table.tsx";

const ConnectionDialogs = dynamic(
  () => import("./connection-dialogs.tsx").then((module) => module.ConnectionDialogs),
  { ssr: false },
);

const stateTickMs = 30_000;

interface ConnectionDetailProps {
  connection: Connection;
  calls: GatewayResult<List<RequestRow>>;
  usage: GatewayResult<UsageList>;
}

/** One connection: the client, its rights and usage, its latest calls, and when it expires. */
export function ConnectionDetail({ connection, calls, usage }: ConnectionDetailProps) {
  const t = useWords("connections");
  const router = usePageRouter();
  const { may, userId } = useAccess();
  const [question, setQuestion] = useState<ConnectionQuestion | null>(null);
  const keyWords = useWords("keys");
  const isLive = keyLook(connection, useNow(stateTickMs), keyWords).usable;
  const mayChange = may("keys:manage") || connection.member?.id === userId;
  return (
    <>
      <PageHeader
        title={connection.client.name}
        description={connection.member ? t("actsFor", { name: connection.member.name }) : t("actsForFormer")}
        actions={
          isLive &&
          mayChange && (
            <>
              <Button onClick={() => setQuestion("budget")}>{t("editBudgets")}</Button>
              <Button onClick={() => setQuestion("end")}>{t("changeExpiry")}</Button>
              <Button variant="danger" onClick={() => setQuestion("revoke")}>
                {t("disconnect")}
              </Button>
            </>
          )
        }
      />
      <Section title={t("rights")}>
        <Facts facts={factsOf(connection, t, keyWords)} />
      </Section>
      <Section title={t("usage")} description={t("usageInTheLast30")}>
        {usage.ok ? <Used rows={usage.data.data} /> : <LoadFailure error={usage.error} />}
      </Section>
      <Section title={t("lastCalls")}>
        {!calls.ok ? (
          <LoadFailure error={calls.error} />
        ) : calls.data.data.length === 0 ? (
          <p className="text-muted">{t("noCallsYet")}</p>
        ) : (
          <RequestTable rows={calls.data.data} names={{ [connection.id]: connection.client.name }} />
        )}
      </Section>
      {question && (
        <ConnectionDialogs
          question={question}
          connection={connection}
          currency={usage.ok ? usage.data.total.cost.currency : ""}
          onClose={() => setQuestion(null)}
          onChanged={() => {
            setQuestion(null);
            router.refresh();
          }}
        />
      )}
    </>
  );
}

function factsOf(connection: Connection, t: Words<"connections">, keyWords: Words<"keys">) {
  const {
    client,
    models,
    monthly_budget: inUnits,
    budgets,
    task_budget: perTask,
    expires_at: end,
    last_used_at: lastUsed,
  } = connection;
  return [
    [t("status"), <ConnectionStatus key="status" connection={connection} />],
    ...(connection.ended_because ? [[t("endedBecause"), endOf(connection.ended_because, t)] as const] : []),
    [t("client"), client.host ?? t("registeredItself")],
    [t("returnsTo"), connection.redirect_host],
    [
      t("may"),
      listText(
        t.language,
        connection.scopes.map((scope) => scopeLabel(scope, keyWords)),
        "plain",
      ),
    ],
    [
      t("models"),
      models ? (
        <span key="models" className="flex flex-wrap gap-1">
          {models.map((model) => (
            <Badge key={model}>{model}</Badge>
          ))}
        </span>
      ) : (
        t("allModelsWithout")
      ),
    ],
    [
      t("budgets"),
      inUnits || budgets.length > 0 || perTask ? (
        <BudgetUse key="budgets" holder={connection} />
      ) : (
        t("noSeparateBudget")
      ),
    ],
    [t("ends"), end ? <Time key="end" value={end} /> : t("withoutEnd")],
    [t("connectedAt"), <Time key="created" value={connection.created_at} />],
    [t("lastUsed"), lastUsed ? <Time key="used" value={lastUsed} /> : t("never")],
  ] as const;
}

function Used({ rows }: { rows: UsageList["data"] }) {
  const t = useWords("connections");
  const amounts = useWords("amounts");
  const used = usedModels(rows);
  if (used.length === 0) return <p className="text-muted">{t("noRunsYet")}</p>;
  return (
    <RowsTable
      label={t("usageByModel")}
      rows={used}
      columns={[
        { head: t("model"), cellClass: "font-mono text-meta wrap-anywhere", cell: ({ model }) => model },
        { head: t("used"), numeric: true, cell: (usage) => usageLabel(amounts, usage) },
        { head: t("runs"), numeric: true, cell: ({ requests }) => requests },
      ]}
    />
  );
}

/** Why the gateway ended a connection. */
function endOf(reason: ConnectionEnd, t: Words<"connections">): string {
  return t.has(reason) ? t.text(reason) : reason;
}

interface UsedModel {
  id: string;
  model: string;
  unit: string;
  quantity: number;
  requests: number;
}

/** Usage per model, sorted by runs. */
function usedModels(rows: readonly UsageRow[]): UsedModel[] {
  const sums = new Map<string, UsedModel>();
  for (const { model = "", unit, quantity, requests } of rows) {
    const id = `${model} ${unit}`;
    const sum = sums.get(id) ?? { id, model, unit, quantity: 0, requests: 0 };
    sums.set(id, { ...sum, quantity: sum.quantity + quantity, requests: sum.requests + requests });
  }
  return [...sums.values()].sort((one, other) => other.requests - one.requests);
}
