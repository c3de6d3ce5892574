import { createLoader, parseAsArrayOf, parseAsString } from "nuqs/server";
import type { RequestDetail, RequestRow } from "#contract/usage.ts";
import { useWords } from "#words";
import { headOf, page, titleOf } from "@/app/console-page";
import { RequestComparison } from "@/components/audit/request-comparison";
import { LinkButton } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/page/empty-state";
import { LoadFailure } from "@/components/ui/page/error-panel";
import { Link } from "@/components/ui/page/link";
import { Section } from "@/components/ui/page/section";
import { Time } from "@/components/ui/time";
import { shortenId } from "@/lib/format";
import { compareRequestsHref, maxComparedRequests } from "@/lib/requests/compare-href";
import { getKeyNames, getMemberNames } from "@/lib/server/gateway/reads";
import { requestRoute } from "@/lib/server/gateway/request";

const head = headOf({
  title: "compareRequests",
  parts: ["requests", "amounts"],
  description: "compareDescription",
});

export const generateMetadata = titleOf(head);

const loadSearch = createLoader({ ids: parseAsArrayOf(parseAsString).withDefault([]) });

/** How many requests are offered beside the first. */
const choiceCount = 20;

export default page(head, async ({ t, search, requestRoute }) => {
  const ids = [...new Set(loadSearch(search).ids)].slice(0, maxComparedRequests);
  const [answers, keyNames, memberNames] = await Promise.all([
    Promise.all(ids.map((id) => requestRoute("GET /requests/{id}", { params: { id } }))),
    getKeyNames(),
    getMemberNames(),
  ]);
  const failed = answers.find((answer) => !answer.ok);
  if (failed && !failed.ok) return <LoadFailure error={failed.error} />;
  const found = answers.flatMap((answer) => (answer.ok ? [answer.data] : []));
  const [first, second] = found;
  if (first && second)
    return (
      <>
        <div data-wide className="contents" />
        <RequestComparison requests={found} names={{ ...keyNames, ...memberNames }} />
      </>
    );
  if (first) {
    const rows = await rowsBeside(first);
    return <Choices first={first} rows={rows} openings={await openingsOf(rows)} />;
  }
  return (
    <EmptyState
      drawing="frames"
      title={t("chooseTwoRequests")}
      body={t("selectTwoInTheList")}
      action={<LinkButton href="/requests">{t("openRequests")}</LinkButton>}
    />
  );
});

/** Other requests to offer: those of the same conversation, or else the newest of the same route. Runs come first. */
async function rowsBeside({ id, route, conversation }: RequestDetail): Promise<RequestRow[]> {
  const sameRoute = [{ route, runs: true }, { route }];
  for (const filter of [...(conversation ? [{ conversation, runs: true }] : []), ...sameRoute]) {
    const listed = await requestRoute("GET /requests", { query: { ...filter, limit: choiceCount + 1 } });
    const others = listed.ok ? listed.data.data.filter((row) => row.id !== id) : [];
    if (others.length > 0) return others;
  }
  return [];
}

/** The first words of the requests, by run. Empty for people who may not read contents. */
async function openingsOf(rows: readonly RequestRow[]): Promise<ReadonlyMap<string, string | null>> {
  const ids = rows.flatMap(({ run_id: id, contents }) => (contents === "kept" && id ? [id] : []));
  if (ids.length === 0) return new Map();
  const listed = await requestRoute("GET /contents", { query: { ids: ids.join(), limit: ids.length } });
  return new Map(listed.ok ? listed.data.data.map(({ id, opening }) => [id, opening]) : []);
}

interface ChoicesProps {
  first: RequestDetail;
  rows: readonly RequestRow[];
  openings: ReadonlyMap<string, string | null>;
}

/** Links that show another request beside the first. */
async function Choices({ first, rows, openings }: ChoicesProps) {
  const t = useWords("requests");
  if (rows.length === 0)
    return <p className="text-muted">{t("thereIsNoOtherRequest", { route: first.route })}</p>;
  return (
    <Section title={t("compareIdWith", { id: shortenId(first.id) })}>
      <ul className="divide-y rounded-panel border">
        {rows.map((row) => (
          <li key={row.id}>
            <Link
              href={compareRequestsHref([first.id, row.id])}
              className="flex flex-wrap items-baseline gap-x-3 px-3 py-2 hover:bg-sunken"
            >
              <span className="font-mono">{row.model ?? row.wanted_model ?? row.route}</span>
              <span className="text-muted">
                {row.status}, <Time value={row.at} />
              </span>
              <span className="font-mono text-meta text-muted">{shortenId(row.id)}</span>
              <span className="basis-full text-table wrap-anywhere">{openings.get(row.run_id ?? "")}</span>
            </Link>
          </li>
        ))}
      </ul>
    </Section>
  );
}
