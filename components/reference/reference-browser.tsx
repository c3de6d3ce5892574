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
        {/* Wide windows have the list of sections instead. */}
        <span className="contents desktop:hidden">
          <FilterSelect
            label={t("section")}
            any={t("allSections")}
            value={section}
            options={sections.map(({ tag }) => ({ value: tag, label: titleOf(tag) }))}
            onChange={(tag) => void setSearch({ section: tag || null })}
          />
        </span>
      </FilterBar>
      <div className="flex gap-8">
        <div className="min-w-0 flex-1">
          {shown.map(({ tag, routes }) => (
            <div key={tag} id={placeOf(tag)}>
              <Section title={titleOf(tag)}>
                <div className="divide-y overflow-hidden rounded-panel border bg-panel">
                  {routes.map((route) => (
                    <ReferenceRoute key={route.id} route={route} readDetails={readDetails} />
                  ))}
                </div>
              </Section>
            </div>
          ))}
        </div>
        <SectionList tags={shown.map(({ tag }) => tag)} titleOf={titleOf} />
      </div>
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

/** The id of a section, which the list of sections links to. */
const placeOf = (tag: string) => `section-${tag.replaceAll(" ", "-")}`;

interface SectionListProps {
  tags: readonly string[];
  titleOf: (tag: string) => string;
}

/** The sections beside the routes. It marks the section at the top of the window, and keeps it in view. */
function SectionList({ tags, titleOf }: SectionListProps) {
  const t = useWords("reference");
  const [read, setRead] = useState("");
  const list = useRef<HTMLOListElement>(null);
  const places = tags.map(placeOf).join(" ");
  useEffect(() => {
    const all = places.split(" ");
    const inView = new Set<string>();
    const observer = new IntersectionObserver(
      (changes) => {
        for (const { target, isIntersecting } of changes)
          if (isIntersecting) inView.add(target.id);
          else inView.delete(target.id);
        setRead((last) => all.find((place) => inView.has(place)) ?? last);
      },
      { rootMargin: belowTheBars },
    );
    for (const place of all) {
      const section = document.getElementById(place);
      if (section) observer.observe(section);
    }
    return () => observer.disconnect();
  }, [places]);
  useEffect(() => {
    const link = list.current?.querySelector<HTMLElement>(`[href="#${read}"]`);
    // Not `scrollIntoView`, which would move the page too.
    if (link && list.current) list.current.scrollTop = link.offsetTop - list.current.clientHeight / 2;
  }, [read]);
  return (
    <nav aria-label={t("sections")} className="w-44 shrink-0 max-desktop:hidden">
      <ol
        ref={list}
        className="sticky top-[68px] flex max-h-[calc(100dvh-84px)] flex-col gap-0.5 overflow-y-auto"
      >
        {tags.map((tag) => (
          <li key={tag}>
            <a
              href={`#${placeOf(tag)}`}
              aria-current={placeOf(tag) === read ? "location" : undefined}
              className="flex min-h-7 items-center rounded-control px-2.5 text-table text-muted hover:bg-sunken hover:text-ink focus-visible:-outline-offset-2! aria-[current]:bg-accent-soft aria-[current]:text-accent"
            >
              {titleOf(tag)}
            </a>
          </li>
        ))}
      </ol>
    </nav>
  );
}

/** The part of the window in which a section counts as read: below the top bar, and not in the lower half. */
const belowTheBars = "-80px 0px -50%";

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
        <code className="min-w-0 text-table wrap-anywhere tablet:basis-80">
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
