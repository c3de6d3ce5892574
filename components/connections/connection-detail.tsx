"use client";

import dynamic from "next/dynamic";
import { useState } from "react";
import type { ConnectionEnd } from "#contract/connection-constants.ts";
import type { Connection } from "#contract/connections.ts";
import type { List } from "#contract/list.ts";
import type { RequestRow, UsageList, UsageRow } from "#contract/usage.ts";
import { RequestTable } from "@/components/audit/request-table";
import { BudgetUse } from "@/components/keys/budget-use";
import { keyLook, scopeLabels } from "@/components/keys/key-labels";
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
import { formatCount } from "@/lib/format";
import type { GatewayResult } from "@/lib/gateway/result";
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
  const router = usePageRouter();
  const { may, userId } = useAccess();
  const [question, setQuestion] = useState<ConnectionQuestion | null>(null);
  const isLive = keyLook(connection, useNow(stateTickMs)).usable;
  const mayChange = may("keys:manage") || connection.member?.id === userId;
  return (
    <>
      <PageHeader
        title={connection.client.name}
        description={`Acts for ${connection.member?.name ?? "a former member"}.`}
        actions={
          isLive &&
          mayChange && (
            <>
              <Button onClick={() => setQuestion("budget")}>Edit budgets</Button>
              <Button onClick={() => setQuestion("end")}>Change expiry</Button>
              <Button variant="danger" onClick={() => setQuestion("revoke")}>
                Disconnect
              </Button>
            </>
          )
        }
      />
      <Section title="Rights">
        <Facts facts={factsOf(connection)} />
      </Section>
      <Section title="Usage" description="Usage in the last 30 days, by model.">
        {usage.ok ? <Used rows={usage.data.data} /> : <LoadFailure error={usage.error} />}
      </Section>
      <Section title="Last calls">
        {!calls.ok ? (
          <LoadFailure error={calls.error} />
        ) : calls.data.data.length === 0 ? (
          <p className="text-muted">No calls yet.</p>
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

function factsOf(connection: Connection) {
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
    ["Status", <ConnectionStatus key="status" connection={connection} />],
    ...(connection.ended_because
      ? [["Ended because", endLabels[connection.ended_because] ?? connection.ended_because] as const]
      : []),
    ["Client", client.host ?? "The client registered itself, and nobody has checked its name"],
    ["Returns to", connection.redirect_host],
    ["May", connection.scopes.map((scope) => scopeLabels[scope] ?? scope).join(", ")],
    [
      "Models",
      models ? (
        <span key="models" className="flex flex-wrap gap-1">
          {models.map((model) => (
            <Badge key={model}>{model}</Badge>
          ))}
        </span>
      ) : (
        "All models without an attestation"
      ),
    ],
    [
      "Budgets",
      inUnits || budgets.length > 0 || perTask ? (
        <BudgetUse key="budgets" holder={connection} />
      ) : (
        "No separate budget"
      ),
    ],
    ["Ends", end ? <Time key="end" value={end} /> : "never"],
    ["Connected", <Time key="created" value={connection.created_at} />],
    ["Last used", lastUsed ? <Time key="used" value={lastUsed} /> : "never"],
  ] as const;
}

function Used({ rows }: { rows: UsageList["data"] }) {
  const used = usedModels(rows);
  if (used.length === 0) return <p className="text-muted">No runs yet.</p>;
  return (
    <RowsTable
      label="Usage by model"
      rows={used}
      columns={[
        { head: "Model", cellClass: "font-mono text-meta wrap-anywhere", cell: ({ model }) => model },
        { head: "Used", numeric: true, cell: ({ quantity, unit }) => formatCount(quantity, unit) },
        { head: "Runs", numeric: true, cell: ({ requests }) => requests },
      ]}
    />
  );
}

/** Why the gateway ended a connection. */
const endLabels: Record<ConnectionEnd, string> = {
  refresh_token_reused: "A refresh token was used twice, so somebody else may have it",
  code_reused: "The connection's code was used twice, so somebody else may have it",
  client_revoked: "The client ended it",
};

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
