"use client";

import { useMemo, useState } from "react";
import type { CatalogOperation } from "#contract/catalog.ts";
import type { GatewayFailure } from "@/lib/gateway/result";
import type { JsonObject } from "@/lib/schema-form/json";
import type { FormPlan } from "@/lib/schema-form/plan";
import { segmentsOf, valueAt } from "@/lib/schema-form/pointer";
import type { Problem } from "@/lib/schema-form/problem";
import { problemsFromFailure } from "@/lib/schema-form/server-problems";
import { problemsOf } from "@/lib/schema-form/validator";

const none: Problem[] = [];

/** Problems appear at the first Run and then go away one by one as they are mended. */
export function useProblems(body: JsonObject | null, operation: CatalogOperation, plan: FormPlan) {
  const [checking, setChecking] = useState(false);
  const [refusal, setRefusal] = useState<{ problems: Problem[]; body: JsonObject } | null>(null);

  const own = useMemo(
    () => (checking && body ? problemsOf(body, operation, plan) : none),
    [checking, body, operation, plan],
  );
  const server = useMemo(() => {
    if (!refusal || !body) return none;
    const unchanged = ({ path }: Problem) => {
      const segments = segmentsOf(path);
      return JSON.stringify(valueAt(body, segments)) === JSON.stringify(valueAt(refusal.body, segments));
    };
    return refusal.problems.filter(unchanged);
  }, [refusal, body]);

  return {
    problems: useMemo(
      () => [...own, ...server.filter(({ path }) => !own.some((problem) => problem.path === path))],
      [own, server],
    ),
    /** Looks at a body that is about to be sent; false when something must be mended first. */
    check(candidate: JsonObject): boolean {
      const found = problemsOf(candidate, operation, plan);
      setChecking(found.length > 0);
      setRefusal(null);
      return found.length === 0;
    },
    /** Puts the gateway's refusal at its fields; false when it names none. */
    refuse(failure: GatewayFailure, sent: JsonObject): boolean {
      const problems = failure.status === 400 ? problemsFromFailure(failure, plan) : [];
      setRefusal({ problems, body: sent });
      return problems.length > 0;
    },
    clear() {
      setChecking(false);
      setRefusal(null);
    },
  };
}
