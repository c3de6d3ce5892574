import type { ReactNode } from "react";
import type { Incident } from "#contract/status.ts";
import { Badge } from "@/components/ui/badge";
import { StatusPill } from "@/components/ui/status-pill";
import { Time } from "@/components/ui/time";
import { impactLook, incidentStatusLabel } from "@/lib/status/service";

interface IncidentCardProps {
  incident: Incident;
  /** The time that the page was drawn, to tell what is still to come. */
  at: string;
  actions?: ReactNode;
}

/** Shown at once; the others are a click away. */
const shownUpdates = 3;

export function IncidentCard({ incident, at, actions }: IncidentCardProps) {
  const { title, impact, status, started_at, resolved_at, models, regions, updates } = incident;
  const look = impactLook(impact);
  const rest = updates.slice(shownUpdates);
  const concerned = [...models, ...regions];
  return (
    <article className="rounded-panel border bg-panel p-4">
      <header className="mb-3 flex flex-wrap items-start gap-x-3 gap-y-2">
        <div className="min-w-0 flex-1 basis-60">
          <h3 className="text-title font-semibold wrap-anywhere">{title}</h3>
          <p className="text-table text-muted">
            {incidentStatusLabel(status, impact)}
            {" · "}
            {started_at > at ? "starts " : resolved_at ? "from " : "since "}
            <Time value={started_at} mode="absolute" />
            {resolved_at && (
              <>
                {" to "}
                <Time value={resolved_at} mode="absolute" />
              </>
            )}
          </p>
        </div>
        <StatusPill label={look.label} tone={look.tone} icon={look.icon} title={look.meaning} />
        {actions}
      </header>
      {concerned.length > 0 && (
        <p className="mb-3 flex flex-wrap gap-1.5">
          <span className="sr-only">Concerns: </span>
          {concerned.map((name) => (
            <Badge key={name}>{name}</Badge>
          ))}
        </p>
      )}
      <Updates incident={incident} updates={updates.slice(0, shownUpdates)} />
      {rest.length > 0 && (
        <details className="mt-3">
          <summary className="cursor-pointer text-table text-muted hover:text-ink">Earlier updates</summary>
          <div className="mt-3">
            <Updates incident={incident} updates={rest} />
          </div>
        </details>
      )}
    </article>
  );
}

function Updates({ incident, updates }: { incident: Incident; updates: Incident["updates"] }) {
  return (
    <ol className="space-y-3 border-l-2 pl-3">
      {updates.map(({ id, status, text, at }) => (
        <li key={id}>
          <p className="text-table">
            <span className="font-medium">{incidentStatusLabel(status, incident.impact)}</span>{" "}
            <span className="text-muted">
              <Time value={at} />
            </span>
          </p>
          <p className="max-w-[80ch] whitespace-pre-line wrap-anywhere">{text}</p>
        </li>
      ))}
    </ol>
  );
}
