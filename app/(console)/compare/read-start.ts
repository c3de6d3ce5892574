import "server-only";
import { batchLimits } from "#contract/batch-constants.ts";
import { isId } from "#contract/ids.ts";
import type { Candidate } from "@/lib/compare/candidates";
import { commonFrom, mergedInputs } from "@/lib/compare/common-input";
import { candidateKey, notComparedWords } from "@/lib/compare/kinds";
import { ownOf } from "@/lib/compare/row-for";
import { type ComparisonStart, emptyStart } from "@/lib/compare/start";
import type { GatewayResult } from "@/lib/gateway/result";
import { requestRoute } from "@/lib/server/gateway/request";
import type { CompareSearch } from "./search-params.ts";

/** What ran, or would. */
interface Ran {
  model: string;
  api_type: string | null;
  input: Record<string, unknown> | null;
}

/** The input and the models that an address asks for. */
export async function readStart(
  candidates: readonly Candidate[],
  { from, operation, models }: CompareSearch,
): Promise<ComparisonStart> {
  if (operation)
    return candidates.some(({ key }) => key === operation)
      ? { ...emptyStart, chosen: [operation], draftOf: operation }
      : { ...emptyStart, notice: leftOut([operation]) };
  if (!from) {
    const missing = models.filter((id) => !candidates.some(({ model }) => model === id));
    return {
      ...emptyStart,
      chosen: candidates.filter(({ model }) => models.includes(model)).map(({ key }) => key),
      notice: missing.length > 0 ? leftOut(missing) : null,
    };
  }
  const answer = await readRuns(from);
  if (!answer.ok)
    return { ...emptyStart, notice: `The input of ${from} could not be loaded. ${answer.error.message}` };
  const found = answer.data.flatMap((ran) => {
    const candidate = candidates.find(({ key }) => key === candidateKey(ran.model, ran.api_type ?? ""));
    return candidate && ran.input ? [{ candidate, input: ran.input }] : [];
  });
  if (found.length === 0)
    return {
      ...emptyStart,
      notice: `${from} has no input to try: it was deleted, or its model is gone or not offered here. ${notComparedWords}`,
    };
  // Of several, what one model alone needed stays with it.
  const own = Object.fromEntries(
    found.length === 1 ? [] : found.map(({ candidate, input }) => [candidate.key, ownOf(candidate, input)]),
  );
  const inputs = found.map(({ candidate, input }) => {
    const apart = own[candidate.key] ?? {};
    const common = Object.entries(input).filter(([name]) => !Object.hasOwn(apart, name));
    return commonFrom(candidate, Object.fromEntries(common));
  });
  return {
    ...emptyStart,
    input: mergedInputs(inputs),
    chosen: found.map(({ candidate }) => candidate.key),
    own,
  };
}

function leftOut(names: readonly string[]): string {
  return `Not offered here: ${names.join(", ")}. ${notComparedWords}`;
}

async function readRuns(from: string): Promise<GatewayResult<Ran[]>> {
  if (isId("batch", from)) {
    const rows = await requestRoute("GET /batches/{id}/rows", {
      params: { id: from },
      query: { limit: batchLimits.maxCompared },
    });
    return rows.ok ? { ...rows, data: rows.data.data } : rows;
  }
  const one = isId("preset", from)
    ? await requestRoute("GET /presets/{id}", { params: { id: from } })
    : isId("output", from)
      ? await requestRoute("GET /outputs/{id}", { params: { id: from } })
      : await requestRoute("GET /predictions/{id}", { params: { id: from } });
  return one.ok ? { ...one, data: [one.data] } : one;
}
