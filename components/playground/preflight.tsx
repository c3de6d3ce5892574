"use client";

import { Check, CircleDashed, Lock, MapPin, Receipt, ShieldAlert, Weight } from "lucide-react";
import { memo, type ReactNode, useDeferredValue, useMemo } from "react";
import type { CatalogModel } from "#contract/catalog.ts";
import { formatBytes } from "@/lib/format";
import { estimateOf } from "@/lib/schema-form/estimate";
import type { JsonObject } from "@/lib/schema-form/json";
import { requestBytes } from "@/lib/schema-form/validator";
import { AccountBudget } from "./account-budget";
import { CostEstimate } from "./cost-estimate";
import type { GateState } from "./use-gates";
import { usePlayground } from "./use-playground";

const Cost = memo(CostEstimate);

const describeGates: Record<GateState, string> = {
  none: "No gates",
  open: "Gates passed",
  closed: "Attestation needed",
  unknown: "Gates are checked when you run",
};

/** Facts before a run: gates, region, size, billing. */
export function Preflight() {
  const { model, operation, sentBody, gate } = usePlayground();
  // A long conversation is measured when the browser has time, not at every keystroke.
  const body = useDeferredValue(sentBody);
  const limit = operation.limits.maxRequestBytes;
  const bytes = useMemo(() => (body ? requestBytes(body) : null), [body]);
  const estimate = useMemo(() => (body ? estimateOf(body, operation) : null), [body, operation]);
  return (
    <ul
      aria-label="Before you run"
      className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-0.5 text-meta text-muted"
    >
      <Fact
        icon={
          gate.state === "closed" ? (
            <Lock size={13} aria-hidden />
          ) : gate.state === "unknown" ? (
            <ShieldAlert size={13} aria-hidden />
          ) : (
            <Check size={13} aria-hidden />
          )
        }
      >
        {gate.state === "closed" ? (
          <button
            type="button"
            onClick={gate.openMissing}
            className="min-h-6 pointer-coarse:min-h-11 font-medium text-warn underline"
          >
            {describeGates.closed}
          </button>
        ) : (
          describeGates[gate.state]
        )}
      </Fact>
      <Fact icon={<MapPin size={13} aria-hidden />}>{describeRegion(model, body)}</Fact>
      {bytes !== null && (
        <Fact icon={<Weight size={13} aria-hidden />}>
          {formatBytes(bytes)}
          {typeof limit === "number" && ` of ${formatBytes(limit)}`}
        </Fact>
      )}
      <Fact icon={body ? <Receipt size={13} aria-hidden /> : <CircleDashed size={13} aria-hidden />}>
        {estimate ?? "Fix the JSON"}
      </Fact>
      {body && (
        <li className="tabular empty:hidden">
          <Cost model={model} operation={operation} body={body} />
        </li>
      )}
      <li className="tabular empty:hidden">
        <AccountBudget />
      </li>
    </ul>
  );
}

function Fact({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <li className="inline-flex min-w-0 items-center gap-1">
      {icon}
      <span className="tabular min-w-0">{children}</span>
    </li>
  );
}

function describeRegion(model: CatalogModel, body: JsonObject | null): string {
  const healthy: readonly string[] = model.healthy_regions;
  const asked = typeof body?.region === "string" ? body.region : null;
  if (asked) return healthy.includes(asked) ? asked : `${asked} is down or has no provider`;
  if (healthy.length === 0) return "no region can run it now";
  return healthy.length === 1 ? `${healthy[0]}` : `any of ${healthy.length} regions`;
}
