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
import { chapterOf } from "@/lib/server/chapters";
import { env } from "@/lib/server/env";
import { requestRoute } from "@/lib/server/gateway/request";
import { addressedAccount, requireSession } from "@/lib/server/session";

/** The parts of a page that do not depend on its data. */
interface Head {
  /** The title in the page's metadata, and the heading of a page that cannot be read. */
  title: string;
  /** With a description, the page begins with this header. Otherwise it draws its own. */
  description?: string;
  actions?: ReactNode;
  /** The filters that the address may contain. The page lists all others as ignored. */
  filters?: ComponentProps<typeof IgnoredFilters>["known"];
  /** Shown if the gateway does not have a route that the page needs. */
  notOffered?: ReactNode;
}

interface Visit<Param extends string> {
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

/**
 * A page of the console, which only signed-in people see. `draw` reads its data and returns its content. A
 * folder in brackets adds its name to `Param`.
 */
export function page<Param extends string = never>(
  head: Head,
  draw: (visit: Visit<Param>) => ReactNode | Promise<ReactNode>,
) {
  return async ({ params, searchParams }: RouteProps<Record<Param, string>>) => {
    const session = await requireSession();
    const search = await searchParams;
    const { title, description, actions, filters, notOffered } = head;
    const chapter = chapterOf(title);
    const above = (
      <>
        {filters && <IgnoredFilters given={search} known={filters} />}
        {description && <PageHeader title={title} description={description} actions={actions} />}
      </>
    );
    try {
      const content = await draw({
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
                Read about this page
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
          {isOffered || !notOffered ? <LoadFailure error={failure} /> : notOffered}
        </>
      );
    }
  };
}

/** A list of `lib/lists.ts`. */
interface FilteredList<View, Query> {
  empty: View;
  viewOf: (search: SearchParams) => View;
  queryOf: (view: View, nowMs: number) => Query;
}

/** A page with a list, for the filters and the place in its address. */
export function listPage<View extends Record<string, string>, Query>(
  { list, ...head }: Head & { list: FilteredList<View, Query> },
  draw: (visit: Visit<never> & { view: View; query: Query }) => ReactNode | Promise<ReactNode>,
) {
  return page({ filters: list.empty, ...head }, (visit) => {
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
