"use client";

import { type ReactNode, startTransition, useEffect, useRef, useState } from "react";
import { Badge } from "@/components/ui/badge";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { Skeleton } from "@/components/ui/page/skeleton";
import { answerOf } from "@/lib/browser/action-answer";
import type { ActionResult, GatewayResult } from "@/lib/gateway/result";
import type { ListedRoute } from "@/lib/reference/listed-route";

/** Draws the details of the route with this id on the server. */
export type ReadDetails = (id: string) => ActionResult<ReactNode>;

/** One route by its summary; what it takes and answers is fetched when it is opened. */
export function ReferenceRoute({ route, readDetails }: { route: ListedRoute; readDetails: ReadDetails }) {
  const [details, setDetails] = useState<GatewayResult<ReactNode> | null>(null);
  const element = useRef<HTMLDetailsElement>(null);
  const isAsked = useRef(false);
  const show = async () => {
    if (isAsked.current || !element.current?.open) return;
    isAsked.current = true;
    const answer = await answerOf(readDetails(route.id));
    isAsked.current = answer.ok;
    // Buttons among the details bring scripts of their own; the loading state stays until these are there.
    startTransition(() => setDetails(answer));
  };
  // It may have been opened before the page was alive.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only once; later, `onToggle` tells.
  useEffect(() => void show(), []);
  return (
    <details ref={element} id={route.id} onToggle={show} className="open:pb-4">
      <summary className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2 hover:bg-sunken focus-visible:-outline-offset-2!">
        <span className={`w-14 font-mono text-meta font-semibold ${methodTone(route.method)}`}>
          {route.method}
        </span>
        <code className="min-w-0 text-table wrap-anywhere tablet:basis-96">{route.path}</code>
        <span className="min-w-0 text-table text-muted max-tablet:basis-full">{route.summary}</span>
        {route.isPublic && (
          <span className="tablet:ml-auto">
            <Badge>no key needed</Badge>
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
        <div role="status" aria-label="Loading" className="px-4 pt-2">
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
