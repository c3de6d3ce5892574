"use client";

import { Play, Search } from "lucide-react";
import dynamic from "next/dynamic";
import { useQueryStates } from "nuqs";
import { parseAsString } from "nuqs/server";
import { type ReactNode, startTransition, useEffect, useRef, useState } from "react";
import { useWords } from "#words";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/form/input";
import { FilterBar, FilterSelect } from "@/components/ui/list/filter-bar";
import { EmptyState } from "@/components/ui/page/empty-state";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { Section } from "@/components/ui/page/section";
import { Skeleton } from "@/components/ui/page/skeleton";
import { WithBreaks } from "@/components/ui/with-breaks";
import { answerOf } from "@/lib/browser/action-answer";
import type { ActionResult, GatewayResult } from "@/lib/gateway/result";
import { isFound, type ListedRoute, type ListedSection, type ReadRoute } from "@/lib/reference/read-route";

interface ReferenceBrowserProps {
  sections: ListedSection[];
  readDetails: ReadDetails;
}

/** The routes by section, filtered by a search. */
export function ReferenceBrowser({ sections, readDetails }: ReferenceBrowserProps) {
  const t = useWords("reference");
  const [{ q, section }, setSearch] = useQueryStates(referenceSearchParams, { history: "replace" });
  const titleOf = (tag: string) => {
    const known = `section.${tag}`;
    return t.has(known) ? t.text(known) : tag;
  };
  const wanted = q.toLowerCase().split(/\s+/).filter(Boolean);
  const shown = sections
    .filter(({ tag }) => section === "" || tag === section)
    .map(({ tag, routes }) => ({
      tag,
      routes: routes.filter((route) => isFound(`${tag} ${titleOf(tag)}`, route, wanted)),
    }))
    .filter(({ routes }) => routes.length > 0);
  const all = countOf(sections);
  const count = countOf(shown);
  useEffect(() => {
    openNamed();
    addEventListener("hashchange", openNamed);
    return () => removeEventListener("hashchange", openNamed);
  }, []);
  const clear = () => void setSearch(null);
  return (
    <>
      <FilterBar
        active={Number(q !== "") + Number(section !== "")}
        onClear={clear}
        summary={count === all ? t("countOfRoutes", { count }) : t("shownOfRoutes", { count, all })}
      >
        <span className="relative w-full tablet:w-80">
          <Search size={15} aria-hidden className="absolute top-1/2 left-2.5 -translate-y-1/2 text-muted" />
          <Input
            type="search"
            aria-label={t("searchRoutes")}
            placeholder={t("pathMethodPurposeOrParameter")}
            value={q}
            onChange={(event) => void setSearch({ q: event.target.value || null })}
            className="pl-8!"
          />
        </span>
        <FilterSelect
          label={t("section")}
          any={t("allSections")}
          value={section}
          options={sections.map(({ tag }) => ({ value: tag, label: titleOf(tag) }))}
          onChange={(tag) => void setSearch({ section: tag || null })}
        />
      </FilterBar>
      {shown.map(({ tag, routes }) => (
        <Section key={tag} title={titleOf(tag)}>
          <div className="divide-y overflow-hidden rounded-panel border bg-panel">
            {routes.map((route) => (
              <ReferenceRoute key={route.id} route={route} readDetails={readDetails} />
            ))}
          </div>
        </Section>
      ))}
      {shown.length === 0 && (
        <EmptyState
          title={t("noRoutesFound")}
          body={t("noRouteMatchesThisSearch")}
          action={<Button onClick={clear}>{t("clearSearch")}</Button>}
        />
      )}
    </>
  );
}

/** Opens the route that is named after the `#` of the address. */
function openNamed(): void {
  const named = document.getElementById(location.hash.slice(1));
  if (!(named instanceof HTMLDetailsElement)) return;
  named.open = true;
  named.scrollIntoView();
}

function countOf(sections: readonly ListedSection[]): number {
  return sections.reduce((sum, { routes }) => sum + routes.length, 0);
}

/** Renders the details of a route on the server. */
type ReadDetails = (id: string) => ActionResult<ReactNode>;

/** One route with its summary. Parameters and responses are loaded when the user opens it. */
function ReferenceRoute({ route, readDetails }: { route: ListedRoute; readDetails: ReadDetails }) {
  const t = useWords("reference");
  const [details, setDetails] = useState<GatewayResult<ReactNode> | null>(null);
  const element = useRef<HTMLDetailsElement>(null);
  const isAsked = useRef(false);
  const show = async () => {
    if (isAsked.current || !element.current?.open) return;
    isAsked.current = true;
    const answer = await answerOf(readDetails(route.id));
    isAsked.current = answer.ok;
    // Buttons in the details need their own scripts, so the loading state stays until the scripts have
    // loaded.
    startTransition(() => setDetails(answer));
  };
  // The user may have opened it before hydration.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only once; later, `onToggle` tells.
  useEffect(() => void show(), []);
  return (
    <details ref={element} id={route.id} onToggle={show} className="open:pb-4">
      <summary className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2 hover:bg-sunken focus-visible:-outline-offset-2!">
        <span className={`w-14 font-mono text-meta font-semibold ${methodTone(route.method)}`}>
          {route.method}
        </span>
        <code className="min-w-0 text-table wrap-anywhere tablet:basis-96">
          <WithBreaks text={route.path} before="/" />
        </code>
        <span lang="en" className="min-w-0 text-table text-muted max-tablet:basis-full">
          {route.summary}
        </span>
        {route.isPublic && (
          <span className="tablet:ml-auto">
            <Badge>{t("noKeyNeeded")}</Badge>
          </span>
        )}
      </summary>
      {details?.ok && details.data}
      {details?.ok === false && (
        <div className="px-4 pt-2">
          <ErrorPanel error={details.error} onRetry={show} />
        </div>
      )}
      {details === null && (
        <div role="status" aria-label={t("loading")} className="px-4 pt-2">
          <Skeleton className="h-40" />
        </div>
      )}
    </details>
  );
}

function methodTone(method: string): string {
  if (method === "GET") return "text-muted";
  return method === "DELETE" ? "text-bad" : "text-accent";
}

/** The search and the section, in the address. */
const referenceSearchParams = { q: parseAsString.withDefault(""), section: parseAsString.withDefault("") };

const ReadForm = dynamic(() => import("./read-form.tsx").then((module) => module.ReadForm), { ssr: false });

/** Opens the form that sends a GET request. The form's code is loaded with the first click. */
export function TryRead({ route }: { route: ReadRoute }) {
  const t = useWords("reference");
  const [open, setOpen] = useState(false);
  return open ? (
    <ReadForm route={route} />
  ) : (
    <Button size="sm" icon={<Play size={14} aria-hidden />} onClick={() => setOpen(true)}>
      {t.rich(
        "tryRoute",
        { summary: route.summary },
        {
          hidden: (text) => (
            <span key="route" className="sr-only">
              {text}
            </span>
          ),
        },
      )}
    </Button>
  );
}
