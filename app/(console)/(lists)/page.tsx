import { CircleAlert, CircleCheck, TriangleAlert } from "lucide-react";
import { redirect } from "next/navigation";
import type { Permission } from "#contract/accounts/permissions.ts";
import { type ActivitySum, otherGroups } from "#contract/activity.ts";
import type { ErrorCode } from "#contract/error.ts";
import type { NoticeGroup } from "#contract/notices.ts";
import type { OperatorSteps } from "#contract/operator/first-steps.ts";
import type { Output } from "#contract/outputs.ts";
import type { Prediction } from "#contract/prediction.ts";
import type { FirstSteps as Steps, Summary } from "#contract/summary.ts";
import { useWords } from "#words";
import { headOf, page, titleOf } from "@/app/console-page";
import { WithWords } from "@/app/with-words";
import { SmallActivity } from "@/components/activity/small-activity";
import { Figures, type HomeCounts, homeFigures } from "@/components/home/figures";
import { FirstSteps, StepsOnHome } from "@/components/home/first-steps";
import {
  type ExplainedCause,
  goesSoon,
  maxNamed,
  type Need,
  needsOf,
  type RefusalCause,
  type Refusals,
  refusalCauses,
  soonMs,
} from "@/components/home/needs";
import { type RecentRun, RecentRuns, recentRuns } from "@/components/home/recent-runs";
import { TryCovers } from "@/components/home/try-covers";
import { OutputPicture } from "@/components/media/output-picture";
import { LazyRememberedPredictions } from "@/components/predictions/late-views";
import { SaveEverything } from "@/components/predictions/save-everything";
import { LinkButton } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/page/empty-state";
import { LoadFailure } from "@/components/ui/page/error-panel";
import { Link } from "@/components/ui/page/link";
import { LivePage } from "@/components/ui/page/live-page";
import { PageHeader } from "@/components/ui/page/page-header";
import { Section } from "@/components/ui/page/section";
import { firstCall } from "@/lib/guides/snippets/first-call";
import { showsMedia } from "@/lib/server/content-policy";
import {
  getAccount,
  getKeyNames,
  getModels,
  getUnread,
  listUnansweredKeys,
} from "@/lib/server/gateway/reads";
import { visitorsPreferences } from "@/lib/server/session";
import { formats, words } from "@/lib/server/words";
import { failureInShort, firstSentence, loadFailureWords } from "@/lib/status/failure-words";
import type { Language } from "@/messages/languages";
import "server-only";
import type { Counted, List } from "#contract/list.ts";
import { pageLimit } from "#contract/list-constants.ts";
import type { Delivery, Endpoint, EndpointQuery } from "#contract/webhook.ts";
import { spanBounds } from "@/lib/activity/spans";
import type { GatewayResult } from "@/lib/gateway/result";
import { requestRoute } from "@/lib/server/gateway/request";

const head = headOf({
  title: "home",
  parts: ["home", "charts", "attestations", "predictions", "media", "library", "shares", "states"],
});

export const generateMetadata = titleOf(head);

/** How many recent runs the page shows: as many as fit a laptop's screen below the rest of the page. */
const runsShown = 4;

/**
 * How often the page checks the first steps: often enough that a step is marked as done soon after the user
 * ran its command in a terminal.
 */
const ticksEveryMs = 5_000;

export default page(head, async ({ t, baseUrl }) => {
  const titles = await words("pages");
  const account = await getAccount();
  const may = (permission: Permission) =>
    !account.ok || account.data.user === null || account.data.permissions.includes(permission);
  if (!may("predictions:read")) redirect("/usage");
  const runs = may("operations:run");
  const nowMs = Date.now();
  const isOperator = account.ok && (account.data.user?.operator ?? false);
  const remindsOperator = isOperator && (await visitorsPreferences()).operatorSteps;
  const data = await loadHome(nowMs, remindsOperator);
  const { counts, predictions, expiring } = data;
  const regions = data.regions.ok ? data.regions.data.data : [];
  const needs = needsOf(t, await formats(), {
    webhooks: await words("webhooks"),
    deadLetters: counts.deliveries?.["dead-letter"] ?? null,
    endpoints: data.endpoints,
    refusals: await explained(data.refusals, t.language),
    expiring,
    notices: account.ok && account.data.user ? await unreadGroups() : [],
    unansweredKeys: may("attestations:answer") ? data.unansweredKeys : [],
    troubledRegions: regions.filter(({ status }) => status !== "healthy").map(({ id }) => id),
  });
  const offersRuns = predictions.ok || predictions.error.code !== "route_not_found";
  const { stepsOfInstance } = data;
  // An operator sets up the installation first, so the page shows only one list of steps at a time.
  const steps = stepsOfInstance && isBeginning(stepsOfInstance) ? null : data.steps;
  // Nothing has run yet, so the other sections would be empty.
  const isFresh = runs && data.steps !== null && !data.steps.ran_model;
  const isNew = isFresh && steps !== null && needs.length === 0;
  const models = isFresh ? await getModels() : null;
  const command = firstCall.shell?.(baseUrl) ?? "";
  return (
    <>
      <PageHeader
        title={titles("home")}
        description={isNew ? t("descriptionNew") : t("description")}
        actions={
          <>
            <LivePage drawnAtMs={nowMs} {...(steps && isBeginning(steps) && { everyMs: ticksEveryMs })} />
            {runs && <LinkButton href="/compare">{t("sideBySide")}</LinkButton>}
            {runs && !isNew && (
              <LinkButton variant="primary" href="/catalog">
                {t("runModel")}
              </LinkButton>
            )}
          </>
        }
      />
      {models?.ok && <TryCovers models={models.data.data} showsMedia={showsMedia} />}
      {stepsOfInstance && (
        <WithWords parts={["operatorSteps"]}>
          <StepsOnHome steps={stepsOfInstance} />
        </WithWords>
      )}
      {runs && steps && <FirstSteps done={steps} command={command} folded={!isNew} />}
      {isNew ? null : (
        <>
          <NeedsYou needs={needs} />
          <Figures groups={homeFigures(t, titles, counts)} />
          <LastPictures pictures={data.pictures} />
          {!isFresh && (
            <div className="-mb-14 grid gap-x-8 desktop:grid-cols-[3fr_2fr]">
              <Section
                title={
                  !offersRuns
                    ? t("runsFromBrowser")
                    : data.requests.ok
                      ? t("recentRuns")
                      : t("recentPredictions")
                }
                actions={
                  <>
                    {data.requests.ok && (
                      <LinkButton size="sm" variant="ghost" href="/requests">
                        {t("allRequests")}
                      </LinkButton>
                    )}
                    <LinkButton size="sm" variant="ghost" href="/predictions">
                      {t("allPredictions")}
                    </LinkButton>
                  </>
                }
              >
                {predictions.ok ? (
                  <RunsOfDay
                    runs={recentRuns(
                      {
                        predictions: predictions.data.data,
                        requests: rowsOf(data.requests),
                        batches: rowsOf(data.batches),
                      },
                      runsShown,
                    )}
                  />
                ) : offersRuns ? (
                  <LoadFailure error={predictions.error} />
                ) : (
                  <LazyRememberedPredictions />
                )}
              </Section>
              {data.activity.ok && data.activity.data.total.runs + data.activity.data.total.refused > 0 && (
                <Section
                  title={t("runsOfDay")}
                  actions={
                    <LinkButton size="sm" variant="ghost" href="/activity">
                      {titles("activity")}
                    </LinkButton>
                  }
                >
                  <SmallActivity runs={data.activity.data} />
                </Section>
              )}
            </div>
          )}
        </>
      )}
    </>
  );
});

const dayMs = 24 * 3_600_000;

/** How many pictures the strip shows: as many as fit one line of a wide window. */
const maxPictures = 8;

/**
 * Reads everything that the home page shows. If the gateway does not have a route, the result for that route
 * is a failure.
 */
async function loadHome(nowMs: number, isOperator: boolean) {
  const at = (ms: number) => new Date(ms).toISOString();
  const limit = pageLimit.max;
  const lastDay = { created_after: at(nowMs - dayMs), limit };
  // Files are stored for a day, so files that expire soon may not belong to the newest predictions.
  const aboutToGo = {
    status: "succeeded" as const,
    created_after: at(nowMs - 2 * dayMs),
    created_before: at(nowMs - dayMs + soonMs),
    limit,
  };
  const [
    activity,
    byKey,
    summary,
    predictions,
    requests,
    batches,
    older,
    retrying,
    deadLetters,
    stopped,
    disabled,
    failing,
    pictures,
    regions,
    unanswered,
    ofInstance,
  ] = await Promise.all([
    requestRoute("GET /activity", { query: spanBounds("24h", nowMs) }),
    requestRoute("GET /activity", { query: { ...spanBounds("24h", nowMs), group_by: "key" } }),
    requestRoute("GET /summary"),
    requestRoute("GET /predictions", { query: lastDay }),
    requestRoute("GET /requests", { query: { ...lastDay, runs: true, limit: runsShown } }),
    requestRoute("GET /batches", { query: { ...lastDay, shape: "gatehouse", limit: runsShown } }),
    requestRoute("GET /predictions", { query: aboutToGo }),
    requestRoute("GET /webhooks/deliveries", { query: { ...lastDay, status: "failed", retried: false } }),
    requestRoute("GET /webhooks/deliveries", {
      query: { ...lastDay, status: "dead-letter", retried: false },
    }),
    endpointsOf({ status: "auto-disabled", limit: 1 }),
    endpointsOf({ status: "disabled", limit }),
    endpointsOf({ status: "failing", sort: "failures", limit: maxNamed }),
    requestRoute("GET /outputs", { query: { limit: maxPictures, kind: "image" } }),
    requestRoute("GET /regions"),
    listUnansweredKeys(),
    isOperator ? requestRoute("GET /operator/first_steps") : null,
  ]);
  const byId = new Map([...rowsOf(predictions), ...rowsOf(older)].map((each) => [each.id, each]));
  const expiring = [...byId.values()].filter((each: Prediction) => goesSoon(each, nowMs));
  const counts = countsOf(summary, retrying, deadLetters);
  const steps = summary.ok ? summary.data.first_steps : null;
  const unansweredKeys = unanswered.map(({ name }) => name);
  return {
    activity,
    unansweredKeys,
    steps,
    stepsOfInstance: ofInstance?.ok ? ofInstance.data.steps : null,
    refusals: byKey.ok ? refusalCauses(await namedRefusals(byKey.data.groups)) : [],
    counts,
    predictions,
    requests,
    batches,
    endpoints: { stopped, disabled, failing },
    pictures: rowsOf(pictures),
    regions,
    expiring,
  };
}

/** Endpoints with their number. Empty if they could not be read. */
async function endpointsOf(
  query: EndpointQuery,
): Promise<Pick<List<Endpoint>, "data" | "has_more" | "total">> {
  const answer = await requestRoute("GET /webhooks/endpoints", { query: { ...query, count: true } });
  return answer.ok ? answer.data : { data: [], has_more: false };
}

/** The keys and people with refused requests. */
async function namedRefusals(groups: readonly ActivitySum[]): Promise<Refusals[]> {
  const refused = groups.filter((group) => group.refused > 0);
  if (refused.length === 0) return [];
  const names = await getKeyNames();
  return refused.map((sum) => ({
    ...sum,
    name: sum.group === null || sum.group === otherGroups ? null : (names[sum.group] ?? sum.group),
  }));
}

/**
 * Explains each cause in the reader's language: in English with the sentence that the newest of these requests was
 * answered.
 */
async function explained(causes: readonly RefusalCause[], language: Language): Promise<ExplainedCause[]> {
  if (causes.length === 0) return [];
  const texts = await loadFailureWords(language);
  return Promise.all(
    causes.map(async (cause) => {
      const { code, filter } = cause;
      const newest = await requestRoute("GET /requests", {
        query: { ...filter, ...(code && { code: code as ErrorCode }), limit: 1 },
      });
      const message = rowsOf(newest)[0]?.message ?? null;
      const why = failureInShort(texts, { code, message }) ?? code;
      return { ...cause, why: firstSentence(why) };
    }),
  );
}

/** Empty if the notices could not be read. */
async function unreadGroups(): Promise<readonly NoticeGroup[]> {
  const unread = await getUnread();
  return unread.ok ? (unread.data.groups ?? []) : [];
}

/** The rows of a list. Empty if the list could not be read. */
function rowsOf<Row>(result: GatewayResult<List<Row>>): Row[] {
  return result.ok ? result.data.data : [];
}

type Deliveries = GatewayResult<List<Delivery>>;

/**
 * The gateway's counts. If the gateway has no route for counts, counts the lists of failed deliveries
 * instead.
 */
function countsOf(
  summary: GatewayResult<Summary>,
  retrying: Deliveries,
  deadLetters: Deliveries,
): HomeCounts {
  if (summary.ok) return summary.data;
  return {
    predictions: null,
    deliveries: { ...countedIn("failed", retrying), ...countedIn("dead-letter", deadLetters) },
  };
}

/**
 * Skips deliveries that somebody retried by hand, because each retry is a delivery that is counted itself.
 */
function countedIn(status: "failed" | "dead-letter", list: Deliveries): Record<string, Counted> {
  if (!list.ok) return {};
  const count = list.data.data.filter(({ retried_as }) => retried_as === null).length;
  return { [status]: { count, more: list.data.has_more } };
}

function isBeginning(steps: Steps | OperatorSteps): boolean {
  return Object.values(steps).includes(false);
}

/** Most problems on the page. A link leads to all problems. */
const maxNeeds = 3;

/** Problems that somebody must fix, each with a button. One line when there are none. */
function NeedsYou({ needs }: { needs: readonly Need[] }) {
  const t = useWords("home");
  if (needs.length === 0)
    return (
      <p className="mb-4 flex items-center gap-2 text-muted">
        <CircleCheck size={16} aria-hidden className="text-good" />
        {t("noProblems")}
      </p>
    );
  return (
    <section aria-label={t("needsAttention")} className="mb-4">
      <ul className="overflow-hidden rounded-panel border bg-panel">
        {needs.slice(0, maxNeeds).map(({ key, tone, title, detail, action, saves }) => {
          const Icon = tone === "bad" ? CircleAlert : TriangleAlert;
          return (
            <li
              key={key}
              className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b px-4 py-1 last:border-b-0"
            >
              <Icon
                size={18}
                aria-hidden
                className={`shrink-0 ${tone === "bad" ? "text-bad" : "text-warn"}`}
              />
              <p className="min-w-0 flex-1 basis-60 text-table text-muted wrap-anywhere">
                {t.rich(
                  "needAndDetail",
                  { title, detail },
                  {
                    b: (text) => (
                      <span key="title" className="font-medium text-ink">
                        {text}
                      </span>
                    ),
                  },
                )}
              </p>
              {saves && <SaveEverything predictions={saves} size="sm" />}
              <LinkButton size="sm" href={action.href}>
                {action.label}
              </LinkButton>
            </li>
          );
        })}
      </ul>
      {needs.length > maxNeeds && (
        <p className="mt-1 text-table">
          <Link href="/notices" className="text-accent underline underline-offset-2">
            {t("andMore", { count: needs.length - maxNeeds })}
          </Link>
        </p>
      )}
    </section>
  );
}

/** The newest pictures as a strip. Each links to its run. Narrow windows show fewer. */
function LastPictures({ pictures }: { pictures: readonly Output[] }) {
  const t = useWords("home");
  const shown = pictures.filter(({ url }) => url !== null);
  if (shown.length === 0) return null;
  return (
    <Section
      title={t("lastPictures")}
      className="mb-4"
      actions={
        <LinkButton size="sm" variant="ghost" href="/predictions?view=gallery">
          {t("gallery")}
        </LinkButton>
      }
    >
      <ul className="grid grid-cols-4 gap-2 tablet:grid-cols-8">
        {shown.map((file) => (
          <li key={file.id} className="max-tablet:nth-[n+5]:hidden">
            <Link
              href={file.prediction_id ? `/predictions/${file.prediction_id}` : "/predictions?view=gallery"}
              aria-label={t("pictureBy", { model: file.model })}
              className="relative block h-16 overflow-hidden rounded-control border bg-sunken hover:border-strong [&>img]:object-cover"
            >
              <OutputPicture file={file} />
            </Link>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function RunsOfDay({ runs }: { runs: readonly RecentRun[] }) {
  const t = useWords("home");
  if (runs.length > 0) return <RecentRuns runs={runs} />;
  return (
    <EmptyState
      drawing="frames"
      title={t("noRuns")}
      body={t("chooseModel")}
      action={
        <LinkButton variant="primary" href="/catalog">
          {t("openCatalog")}
        </LinkButton>
      }
    />
  );
}
