import { createLoader, parseAsArrayOf, parseAsString } from "nuqs/server";
import { headOf, page, titleOf } from "@/app/console-page";
import { NoBatches } from "@/components/batches/batch-state";
import { CompareModels } from "@/components/compare/compare-models";
import { LinkButton } from "@/components/ui/button";
import { type Candidate, candidatesOf } from "@/lib/compare/candidates";
import { modelsInLanguage } from "@/lib/server/catalog-words";
import { getModels, modelFigures } from "@/lib/server/gateway/reads";
import { requestRoute } from "@/lib/server/gateway/request";
import "server-only";
import { batchLimits } from "#contract/batch-constants.ts";
import { isId } from "#contract/ids.ts";
import { type ComparisonStart, commonFrom, emptyStart, mergedInputs } from "@/lib/compare/common-input";
import { ideasOf } from "@/lib/compare/ideas";
import { candidateKey } from "@/lib/compare/kinds";
import { ownOf } from "@/lib/compare/row-for";
import type { GatewayResult } from "@/lib/gateway/result";
import { keptInput } from "@/lib/requests/kept-input";
import { messageLanguage, words } from "@/lib/server/words";
import { listText } from "@/lib/words/list-text";
import type { Words } from "@/messages/words";

const head = headOf({
  title: "compare",
  parts: [
    "compare",
    "batches",
    "inputForm",
    "jsonFault",
    "media",
    "catalog",
    "attestations",
    "amounts",
    "purposes",
  ],
  description: "description",
  actions: (t) => <LinkButton href="/compare/earlier">{t("earlierComparisons")}</LinkButton>,
});

export const generateMetadata = titleOf(head);

export default page(head, async ({ t, session, search, baseUrl, requestRoute, need }) => {
  const start = loadCompareSearchParams(search);
  const [models, figures, batches] = await Promise.all([
    need(getModels()),
    modelFigures(),
    requestRoute("GET /batches", { query: { limit: 1, shape: "gatehouse" } }),
  ]);
  if (!batches.ok && batches.error.code === "route_not_found") return <NoBatches />;
  const inLanguage = modelsInLanguage(models.data, await messageLanguage());
  const candidates = candidatesOf(inLanguage, await words("inputForm"), figures);
  return (
    <CompareModels
      key={JSON.stringify(start)}
      accountId={session.accountId}
      baseUrl={baseUrl}
      candidates={candidates}
      ideas={ideasOf(inLanguage, candidates)}
      start={await readStart(candidates, start, t)}
    />
  );
});

/**
 * `from`: the prediction, kept call, preset, saved output or comparison with the input. `operation`: the operation whose
 * playground draft is the input (`svc/chat-1:chat-completions`). `models`: the models that are selected at
 * first.
 */
const compareSearchParams = {
  from: parseAsString,
  operation: parseAsString,
  models: parseAsArrayOf(parseAsString).withDefault([]),
};

const loadCompareSearchParams = createLoader(compareSearchParams);
type CompareSearch = Awaited<ReturnType<typeof loadCompareSearchParams>>;

/** A model and its input, from an earlier run or from a preset. */
interface Ran {
  model: string;
  api_type: string | null;
  input: Record<string, unknown> | null;
}

/** The input and the models that the address names. */
async function readStart(
  candidates: readonly Candidate[],
  { from, operation, models }: CompareSearch,
  t: Words<"compare">,
): Promise<ComparisonStart> {
  if (operation)
    return candidates.some(({ key }) => key === operation)
      ? { ...emptyStart, chosen: [operation], draftOf: operation }
      : { ...emptyStart, notice: describeLeftOut([operation], t) };
  if (!from) {
    const missing = models.filter((id) => !candidates.some(({ model }) => model === id));
    return {
      ...emptyStart,
      chosen: candidates.filter(({ model }) => models.includes(model)).map(({ key }) => key),
      notice: missing.length > 0 ? describeLeftOut(missing, t) : null,
    };
  }
  const answer = await readRuns(from);
  if (!answer.ok)
    return { ...emptyStart, notice: t("theInputCouldNotBeLoaded", { id: from, why: answer.error.message }) };
  const found = answer.data.flatMap((ran) => {
    const candidate = candidates.find(({ key }) => key === candidateKey(ran.model, ran.api_type ?? ""));
    return candidate && ran.input ? [{ candidate, input: ran.input }] : [];
  });
  if (found.length === 0)
    return {
      ...emptyStart,
      notice: `${t("hasNoInputToTry", { id: from })} ${t("notComparedHint")}`,
    };
  // With several models, values that only one of them used stay with that model.
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

function describeLeftOut(names: readonly string[], t: Words<"compare">): string {
  return `${t("notOfferedHere", { names: listText(t.language, names, "plain") })} ${t("notComparedHint")}`;
}

async function readRuns(from: string): Promise<GatewayResult<Ran[]>> {
  if (isId("batch", from)) {
    const rows = await requestRoute("GET /batches/{id}/rows", {
      params: { id: from },
      query: { limit: batchLimits.maxCompared },
    });
    return rows.ok ? { ...rows, data: rows.data.data } : rows;
  }
  if (isId("generation", from)) {
    const call = await requestRoute("GET /contents/{id}", { params: { id: from } });
    return call.ok
      ? { ...call, data: [{ ...call.data, input: keptInput(call.data, await words("ui")).input }] }
      : call;
  }
  const one = isId("preset", from)
    ? await requestRoute("GET /presets/{id}", { params: { id: from } })
    : isId("output", from)
      ? await requestRoute("GET /outputs/{id}", { params: { id: from } })
      : await requestRoute("GET /predictions/{id}", { params: { id: from } });
  return one.ok ? { ...one, data: [one.data] } : one;
}
