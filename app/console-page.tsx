import "server-only";
import { notFound, redirect } from "next/navigation";
import type { ComponentProps, ReactNode } from "react";
import { IgnoredFilters } from "@/components/ui/list/ignored-filters";
import { LoadFailure } from "@/components/ui/page/error-panel";
import { PageHeader } from "@/components/ui/page/page-header";
import type { GatewayFailure, GatewayResult } from "@/lib/gateway/result";
import type { RouteProps, SearchParams } from "@/lib/page-props";
import { inAccount } from "@/lib/paths";
import type { SessionView } from "@/lib/person";
import type { PageTitle } from "@/lib/resource-pages";
import { chapterOf } from "@/lib/server/chapters";
import { env } from "@/lib/server/env";
import { requestRoute } from "@/lib/server/gateway/request";
import { addressedAccount, requireSession } from "@/lib/server/session";
import { words } from "@/lib/server/words";
import type { Key, Part, Words } from "@/messages/words";
import { WithWords } from "./with-words.tsx";

/** What of a page does not depend on its data. */
interface Head<Of extends Part> {
  /** The title in the page's metadata, and the heading of a page that cannot be read: a message of `pages`. */
  title: PageTitle;
  /** The filters that the address may contain. The page lists all others as ignored. */
  filters?: ComponentProps<typeof IgnoredFilters>["known"];
  /** The parts of `messages/` that the page and its components say. The first is the page's own. */
  parts: readonly [Of, ...Part[]];
  /** A message of its own part. With it, the page begins with this header. Otherwise it draws its own. */
  description?: Key<Of>;
  actions?: Said<Of>;
  /** Shown if the gateway does not have a route that the page needs. */
  notOffered?: Said<Of>;
}

type Said<Of extends Part> = ReactNode | ((t: Words<Of>) => ReactNode);

interface Visit<Param extends string, Of extends Part> {
  /** Says the messages of the page's own part. */
  t: Words<Of>;
  session: SessionView;
  params: Record<Param, string>;
  search: SearchParams;
  /** A value in the address. Null if it is missing. */
  word: (name: string) => string | null;
  /** The gateway's public address, ending with `/v1`. */
  baseUrl: string;
  requestRoute: typeof requestRoute;
  need: typeof need;
  redirectTo: typeof redirectTo;
}

/** The head of a page, whose functions get its words. */
export function headOf<Of extends Part>(head: Head<Of>): Head<Of> {
  return head;
}

/** A page's metadata: its title in the visitor's language. */
export function titleOf({ title }: Pick<Head<Part>, "title">) {
  return async () => ({ title: (await words("pages"))(title) });
}

/**
 * A page of the console, which only signed-in people see. `draw` reads its data and returns its content. A
 * folder in brackets adds its name to `Param`; such a page names its own part beside it.
 */
export function page<Param extends string = never, Of extends Part = never>(
  head: Head<Of>,
  draw: (visit: Visit<Param, Of>) => ReactNode | Promise<ReactNode>,
) {
  const drawn = async ({ params, searchParams }: RouteProps<Record<Param, string>>) => {
    const session = await requireSession();
    const search = await searchParams;
    const [titles, shell] = [await words("pages"), await words("shell")];
    const title = titles(head.title);
    const t = await words(head.parts[0]);
    const said = (text: Said<Of>) => (typeof text === "function" ? text(t) : text);
    const description = head.description && t.text(head.description);
    const chapter = chapterOf(head.title);
    const above = (
      <>
        {head.filters && <IgnoredFilters given={search} known={head.filters} />}
        {description && <PageHeader title={title} description={description} actions={said(head.actions)} />}
      </>
    );
    try {
      const content = await draw({
        t,
        session,
        params: await params,
        search,
        word: (name) => [search[name]].flat()[0] ?? null,
        baseUrl: `${env.mediaOrigin}/v1`,
        requestRoute,
        need,
        redirectTo,
      });
      return (
        <>
          {above}
          {content}
          {chapter && (
            <p className="mt-8 text-meta text-muted">
              <a
                href={chapter}
                className="inline-flex min-h-6 items-center underline pointer-coarse:min-h-11 underline-offset-2"
              >
                {shell("readAbout")}
              </a>
            </p>
          )}
        </>
      );
    } catch (thrown) {
      if (!(thrown instanceof Unreadable)) throw thrown;
      const { failure } = thrown;
      const isOffered = failure.code !== "route_not_found";
      if (isOffered && failure.status === 404) notFound();
      return (
        <>
          {description ? above : <PageHeader title={title} />}
          {isOffered || !head.notOffered ? <LoadFailure error={failure} /> : said(head.notOffered)}
        </>
      );
    }
  };
  return async (props: RouteProps<Record<Param, string>>) => (
    <WithWords parts={head.parts}>{await drawn(props)}</WithWords>
  );
}

/** A list of `lib/lists.ts`. */
interface FilteredList<View, Query> {
  empty: View;
  viewOf: (search: SearchParams) => View;
  queryOf: (view: View, nowMs: number) => Query;
}

/** A page with a list, for the filters and the place in its address. */
export function listPage<View extends Record<string, string>, Query, Of extends Part = never>(
  { list, ...head }: Head<Of> & { list: FilteredList<View, Query> },
  draw: (visit: Visit<never, Of> & { view: View; query: Query }) => ReactNode | Promise<ReactNode>,
) {
  return page<never, Of>({ filters: list.empty, ...head }, (visit) => {
    const view = list.viewOf(visit.search);
    return draw({ ...visit, view, query: list.queryOf(view, Date.now()) });
  });
}

/** Data without which the page cannot be shown. */
class Unreadable extends Error {
  readonly failure: GatewayFailure;

  constructor(failure: GatewayFailure) {
    super(failure.message);
    this.failure = failure;
  }
}

/** The data of an answer. If the gateway did not give it, the page shows the failure, or that the id is unknown. */
async function need<Data>(answer: GatewayResult<Data> | Promise<GatewayResult<Data>>): Promise<Data> {
  const result = await answer;
  if (!result.ok) throw new Unreadable(result.error);
  return result.data;
}

/** Opens another page of the same account instead. */
async function redirectTo(href: string): Promise<never> {
  redirect(inAccount(await addressedAccount(), href));
}
