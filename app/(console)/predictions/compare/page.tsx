import { createLoader, parseAsArrayOf, parseAsString } from "nuqs/server";
import type { Prediction } from "#contract/prediction.ts";
import { headOf, page, titleOf } from "@/app/console-page";
import { AddPrediction, PredictionComparison } from "@/components/predictions/compare/prediction-comparison";
import { maxCompared } from "@/components/predictions/links";
import { LinkButton } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/page/empty-state";
import { LoadFailure } from "@/components/ui/page/error-panel";
import { cutInMiddle, shortenId } from "@/lib/format";
import { requestRoute } from "@/lib/server/gateway/request";
import { listText } from "@/lib/words/list-text";
import type { Language } from "@/messages/languages";
import { bracketed } from "@/messages/marks";

const head = headOf({
  title: "comparePredictions",
  parts: [
    "predictions",
    "states",
    "destinations",
    "attestations",
    "provenance",
    "media",
    "shares",
    "library",
    "amounts",
  ],
  description: "compareDescription",
});

export const generateMetadata = titleOf(head);

const loadSearch = createLoader({ ids: parseAsArrayOf(parseAsString).withDefault([]) });

/** How many recent runs are offered for comparison. */
const choiceCount = 30;

export default page(head, async ({ t, search, requestRoute }) => {
  const ids = [...new Set(loadSearch(search).ids)].slice(0, maxCompared);
  const answers = await Promise.all(
    ids.map((id) => requestRoute("GET /predictions/{id}", { params: { id } })),
  );
  const found = answers.flatMap((answer) => (answer.ok ? [answer.data] : []));
  const failed = answers.find((answer) => !answer.ok && answer.error.code !== "prediction_not_found");
  const missing = ids.filter((_, index) => {
    const answer = answers[index];
    return answer && !answer.ok && answer.error.code === "prediction_not_found";
  });
  return (
    <>
      <div data-wide className="contents" />
      {failed && !failed.ok && <LoadFailure error={failed.error} />}
      {missing.length > 0 && (
        <p className="mb-3 rounded-panel border border-warn bg-warn-soft px-4 py-2">
          {t("notFoundInAccount", { ids: listText(t.language, missing.map(shortenId), "plain") })}
        </p>
      )}
      {found.length > 0 ? (
        <>
          <PredictionComparison key={found.map(({ id }) => id).join()} initial={found} />
          {found.length < maxCompared && (
            <AddPrediction ids={found.map(({ id }) => id)} choices={await choicesBeside(t.language, found)} />
          )}
        </>
      ) : (
        <>
          <EmptyState
            drawing="frames"
            title={t("chooseAtLeastTwoPredictions")}
            body={t("selectUpTo", { count: maxCompared })}
            action={<LinkButton href="/predictions">{t("openPredictions")}</LinkButton>}
          />
          <AddPrediction ids={[]} choices={[]} />
        </>
      )}
    </>
  );
});

/** Short enough that the field shows the whole line, also on a phone. */
const promptLength = 24;

/** Recent runs of the same operation that are not on the page yet. */
async function choicesBeside(
  language: Language,
  shown: readonly Prediction[],
): Promise<{ id: string; label: string }[]> {
  const listed = await requestRoute("GET /predictions", {
    query: { api_type: shown[0]?.api_type, limit: choiceCount },
  });
  if (!listed.ok) return [];
  return listed.data.data
    .filter(({ id }) => !shown.some((each) => each.id === id))
    .map(({ id, model, input }) => {
      const prompt = typeof input?.prompt === "string" ? `: ${cutInMiddle(input.prompt, promptLength)}` : "";
      return { id, label: bracketed(language, `${model}${prompt}`, `…${id.slice(-6)}`) };
    });
}
