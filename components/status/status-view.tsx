import type { ReactNode } from "react";
import type { Incident, Status } from "#contract/status.ts";
import type { ServiceState } from "#contract/status-constants.ts";
import { Section } from "@/components/ui/page/section";
import { StatusPill } from "@/components/ui/status-pill";
import { serviceLook } from "@/lib/status/service";
import { IncidentCard } from "./incident-card.tsx";
import { type Service, ServiceList } from "./service-list.tsx";

interface StatusViewProps {
  status: Status;
  incidents: readonly Incident[];
  /** Whether models have pages that the reader may open. */
  links: boolean;
  /** What may be done with an incident. */
  actionsOf?: (incident: Incident) => ReactNode;
}

const sentences: Record<ServiceState, string> = {
  operational: "All models work in all regions.",
  degraded: "Some models do not work in all of their regions.",
  down: "No model works now.",
};

/** How models and regions do, and what the operators say of it; the same for who is signed in and who is not. */
export function StatusView({ status, incidents, links, actionsOf }: StatusViewProps) {
  const { at, state, models, regions } = status;
  const look = serviceLook(state);
  const open = incidents.filter(({ resolved_at }) => resolved_at === null);
  const past = incidents.filter(({ resolved_at }) => resolved_at !== null);
  const cards = (list: readonly Incident[]) => (
    <div className="space-y-3">
      {list.map((incident) => (
        <IncidentCard key={incident.id} incident={incident} at={at} actions={actionsOf?.(incident)} />
      ))}
    </div>
  );
  const isReported = open.some(({ impact, started_at }) => impact !== "maintenance" && started_at <= at);
  const ran = models.some(({ share }) => share !== null);
  return (
    <>
      <p className="mb-6 flex flex-wrap items-center gap-x-3 gap-y-2 rounded-panel border bg-panel px-4 py-3 font-medium">
        <StatusPill label={look.label} tone={look.tone} icon={look.icon} title={look.meaning} />
        <span>{models.length === 0 ? "No model runs here yet." : sentences[state]}</span>
        {isReported && <span className="text-muted">The operators report an incident.</span>}
      </p>
      {open.length > 0 && <Section title="Current incidents">{cards(open)}</Section>}
      {regions.length > 0 && (
        <Section title="Regions" description="Of the tries at providers there, how many were answered.">
          <ServiceList
            label="Regions"
            services={regions.map(({ region, ...rest }) => ({ id: region, ...rest }))}
          />
        </Section>
      )}
      {models.length > 0 && (
        <Section
          title="Models"
          description={
            ran
              ? "Of the runs that could work, how many did. What the caller did wrong counts neither way."
              : "Nothing ran in the last 30 days. The days fill as requests run."
          }
        >
          <ServiceList label="Models" services={troubledFirst(models, links)} />
        </Section>
      )}
      <Section title="Past incidents">
        {past.length > 0 ? cards(past) : <p className="text-muted">None in the last 30 days.</p>}
      </Section>
    </>
  );
}

function troubledFirst(models: Status["models"], links: boolean): Service[] {
  const services = models.map(({ model, display_name: name, ...rest }) => ({
    id: model,
    name,
    href: links ? `/catalog/${model}` : undefined,
    ...rest,
  }));
  const works = ({ state }: Service) => state === "operational";
  return [...services.filter((one) => !works(one)), ...services.filter(works)];
}
