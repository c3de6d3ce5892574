import type { ReactNode } from "react";
import type { Incident, Status } from "#contract/status.ts";
import type { ServiceState } from "#contract/status-constants.ts";
import { useWords } from "#words";
import { Badge, StatusPill } from "@/components/ui/badge";
import { Section } from "@/components/ui/page/section";
import { Time } from "@/components/ui/time";
import { placeOf } from "@/lib/status/place";
import { impactLook, incidentStatusLabel, serviceLook } from "@/lib/status/service";
import { type Service, ServiceList } from "./service-list.tsx";

interface StatusViewProps {
  status: Status;
  incidents: readonly Incident[];
  /** Whether the reader may open pages of models. */
  links: boolean;
  /** Buttons for an incident. */
  actionsOf?: (incident: Incident) => ReactNode;
}

const sentences = {
  operational: "noKnownFaults",
  degraded: "someDoNotWork",
  down: "noModelWorks",
} as const satisfies Record<ServiceState, string>;

/** The state of models and regions, with the operators' reports. The same for signed-in people and others. */
export function StatusView({ status, incidents, links, actionsOf }: StatusViewProps) {
  const t = useWords("status");
  const { at, state, models, regions } = status;
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
  const look = serviceLook(t, state, ran ? 1 : null);
  const isIdle = state === "operational" && !ran;
  return (
    <>
      <p className="mb-6 flex flex-wrap items-center gap-x-3 gap-y-2 rounded-panel border bg-panel px-4 py-3 font-medium">
        <StatusPill label={look.label} tone={look.tone} icon={look.icon} title={look.meaning} />
        <span>
          {models.length === 0
            ? t("noModelRunsHereYet")
            : isIdle
              ? t("noFaultsAreKnownNow")
              : t(sentences[state])}
        </span>
        {isReported && <span className="text-muted">{t("theOperatorsReportAnIncident")}</span>}
      </p>
      {open.length > 0 && <Section title={t("currentIncidents")}>{cards(open)}</Section>}
      {regions.length > 0 && (
        <Section title={t("regions")} description={t("shareOfProviderCallsThat")}>
          <ServiceList
            label={t("regions")}
            services={regions.map(({ region: id, name, ...rest }) => ({
              ...rest,
              id,
              name: placeOf(t, { id, name }),
            }))}
          />
        </Section>
      )}
      {models.length > 0 && (
        <Section
          title={t("models")}
          description={ran ? t("successRatePerModelInvalid") : t("nothingRanInTheLast")}
        >
          <ServiceList label={t("models")} services={troubledFirst(models, links)} />
        </Section>
      )}
      <Section title={t("pastIncidents")}>
        {past.length > 0 ? cards(past) : <p className="text-muted">{t("noneInTheLast30")}</p>}
      </Section>
    </>
  );
}

/** Models with faults first, then those that work, then those where nothing ran. */
function troubledFirst(models: Status["models"], links: boolean): Service[] {
  const services = models.map(({ model, display_name: name, ...rest }) => ({
    id: model,
    name,
    href: links ? `/catalog/${model}` : undefined,
    ...rest,
  }));
  const rank = ({ state, share }: Service) => (state !== "operational" ? 0 : share !== null ? 1 : 2);
  return services.sort((one, other) => rank(one) - rank(other));
}

interface IncidentCardProps {
  incident: Incident;
  /** When the page was rendered, to distinguish dates in the future. */
  at: string;
  actions?: ReactNode;
}

/** Number of visible updates. The others need a click. */
const shownUpdates = 3;

function IncidentCard({ incident, at, actions }: IncidentCardProps) {
  const t = useWords("status");
  const { title, impact, status, started_at, resolved_at, models, regions, updates } = incident;
  const look = impactLook(t, impact);
  const time = (value: string | null) => () => <Time key={value} value={value} mode="absolute" />;
  const rest = updates.slice(shownUpdates);
  const concerned = [...models, ...regions];
  return (
    <article className="rounded-panel border bg-panel p-4">
      <header className="mb-3 flex flex-wrap items-start gap-x-3 gap-y-2">
        <div className="min-w-0 flex-1 basis-60">
          <h3 className="text-title font-semibold wrap-anywhere">{title}</h3>
          <p className="text-table text-muted">
            {incidentStatusLabel(t, status, impact)}
            {" · "}
            {t.rich(
              started_at > at ? (resolved_at ? "startsTo" : "starts") : resolved_at ? "fromTo" : "since",
              {},
              { start: time(started_at), end: time(resolved_at) },
            )}
          </p>
        </div>
        <StatusPill label={look.label} tone={look.tone} icon={look.icon} title={look.meaning} />
        {actions}
      </header>
      {concerned.length > 0 && (
        <p className="mb-3 flex flex-wrap gap-1.5">
          <span className="sr-only">{t("concerns")} </span>
          {concerned.map((name) => (
            <Badge key={name}>{name}</Badge>
          ))}
        </p>
      )}
      <Updates incident={incident} updates={updates.slice(0, shownUpdates)} />
      {rest.length > 0 && (
        <details className="mt-3">
          <summary className="cursor-pointer text-table text-muted hover:text-ink">
            {t("earlierUpdates")}
          </summary>
          <div className="mt-3">
            <Updates incident={incident} updates={rest} />
          </div>
        </details>
      )}
    </article>
  );
}

function Updates({ incident, updates }: { incident: Incident; updates: Incident["updates"] }) {
  const t = useWords("status");
  return (
    <ol className="space-y-3 border-l-2 pl-3">
      {updates.map(({ id, status, text, at }) => (
        <li key={id}>
          <p className="text-table">
            <span className="font-medium">{incidentStatusLabel(t, status, incident.impact)}</span>{" "}
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
