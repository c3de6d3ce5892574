"use client";

import { useQuery } from "@tanstack/react-query";
import { EllipsisVertical, Pencil, Send } from "lucide-react";
import dynamic from "next/dynamic";
import { type ReactNode, useState } from "react";
import type { List } from "#contract/list.ts";
import type { Resend } from "#contract/resends.ts";
import type { Delivery, Endpoint, EndpointHealth } from "#contract/webhook.ts";
import { useWords } from "#words";
import { useAccess } from "@/components/team/access";
import { Permitted } from "@/components/team/permitted";
import { Badge, StatusPill } from "@/components/ui/badge";
import { Button, IconButton } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { FactList } from "@/components/ui/fact-list";
import { IdChip } from "@/components/ui/id-chip";
import { Menu } from "@/components/ui/menu";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { failureToast } from "@/components/ui/page/failure-toast";
import { Link, usePageRouter } from "@/components/ui/page/link";
import { PageHeader } from "@/components/ui/page/page-header";
import { Section } from "@/components/ui/page/section";
import { Time } from "@/components/ui/time";
import { useToast } from "@/components/ui/toast";
import { WithBreaks } from "@/components/ui/with-breaks";
import {
  FailureStreak,
  HealthChart,
  hasAttempts,
  SuccessRate,
} from "@/components/webhooks/endpoints/endpoint-health";
import { RecentDeliveries } from "@/components/webhooks/endpoints/recent-deliveries";
import { failureBehind, fetchRoute } from "@/lib/browser/fetch-from-gateway";
import { formatNumber } from "@/lib/format";
import { act } from "@/lib/gateway/act";
import type { GatewayResult } from "@/lib/gateway/result";
import { descriptionHref } from "@/lib/metadata-href";
import { queryKeys } from "@/lib/query-keys";
import { endpointLook } from "@/lib/status/endpoint";
import { endpointAddress } from "@/lib/webhooks/addresses";
import { failureStreak } from "@/lib/webhooks/refusals";
import type { Words } from "@/messages/words";
import type { EndpointQuestion } from "./endpoint-dialogs.tsx";
import { enabledToast, useEndpointChange } from "./use-endpoint-change.ts";

const EndpointAlert = dynamic(
  () => import("@/components/webhooks/endpoints/endpoint-alert").then((module) => module.EndpointAlert),
  { loading: () => null },
);

const ResendProgress = dynamic(
  () => import("@/components/webhooks/endpoints/resend-progress").then((module) => module.ResendProgress),
  { loading: () => null },
);

interface EndpointClientProps {
  initial: Endpoint;
  /** A resend to this endpoint that is running now. */
  running: Resend | null;
  deliveries: GatewayResult<List<Delivery>>;
  /** What its receiver answered last, if it fails. */
  lastFailure: ReactNode;
  /** Shown at the bottom, the same for every endpoint. */
  children: ReactNode;
}

const pollMs = 10_000;
const whileDisabledMs = 2_000;

/** One endpoint: its health, its recent deliveries and how to verify signatures. */
export function EndpointClient(props: EndpointClientProps) {
  const { initial, running, deliveries, lastFailure, children } = props;
  const t = useWords("webhooks");
  const {
    data: endpoint,
    error,
    refetch,
  } = useQuery({
    queryKey: queryKeys.endpoint(initial.id),
    queryFn: ({ signal }) =>
      fetchRoute("GET /webhooks/endpoints/{id}", { params: { id: initial.id }, signal }),
    initialData: initial,
    // Counts waiting deliveries again when the list below shows new ones.
    refetchInterval: ({ state }) => (state.data?.status === "enabled" ? pollMs : whileDisabledMs),
  });
  // The dialog that starts a resend stores the running resend under this key.
  const { data: resend } = useQuery({
    queryKey: queryKeys.resend(initial.id),
    queryFn: () => running,
    initialData: running,
    enabled: false,
  });
  const failure = failureBehind(error);
  const look = endpointLook(useWords("states"), endpoint);
  return (
    <>
      <PageHeader
        title={
          <span className="inline-flex flex-wrap items-center gap-2">
            <span className="wrap-anywhere">
              <WithBreaks text={endpointAddress(endpoint.url)} before="/" />
            </span>{" "}
            <StatusPill {...look} title={look.meaning} />
            <FailureStreak endpoint={endpoint} />
          </span>
        }
        {...(endpoint.description && {
          description: (
            <Link
              href={descriptionHref(endpoint.description)}
              title={t("everythingWithThisDescription")}
              className="hover:text-ink hover:underline"
            >
              {endpoint.description}
            </Link>
          ),
        })}
        actions={<EndpointControls endpoint={endpoint} />}
      />
      {failure && (
        <div className="mb-4">
          <ErrorPanel error={failure} onRetry={() => void refetch()} />
        </div>
      )}
      {(endpoint.status !== "enabled" || failureStreak(endpoint) !== null) && (
        <EndpointAlert endpoint={endpoint} failure={lastFailure} />
      )}
      <div className="grid gap-x-8 desktop:grid-cols-2">
        <EndpointFacts endpoint={endpoint} />
        {endpoint.health && <EndpointHealthSection health={endpoint.health} />}
      </div>
      {resend?.id && <ResendProgress key={resend.id} initial={{ ...resend, id: resend.id }} />}
      <RecentDeliveries endpointId={endpoint.id} initial={deliveries} />
      {children}
    </>
  );
}

const EndpointDialogs = dynamic(
  () => import("./endpoint-dialogs.tsx").then((module) => module.EndpointDialogs),
  {
    ssr: false,
  },
);

function EndpointControls({ endpoint }: { endpoint: Endpoint }) {
  const t = useWords("webhooks");
  const router = usePageRouter();
  const { toast } = useToast();
  const { may } = useAccess();
  const { busy, change } = useEndpointChange(endpoint.id, (failure) => {
    void failureToast(failure).then(toast);
  });
  const [open, setOpen] = useState<EndpointQuestion | null>(null);
  const look = endpointLook(useWords("states"), endpoint);
  const of = { params: { id: endpoint.id } };

  const test = () =>
    change(act("POST /webhooks/endpoints/{id}/test", of), (delivery) =>
      toast({
        title: t("testEventQueued"),
        description: t("sentToThisEndpointOnly"),
        action: {
          label: t("openDelivery"),
          onClick: () => router.push(`/webhooks/deliveries/${delivery.id}`),
        },
      }),
    );
  const enable = () =>
    endpoint.waiting_deliveries && endpoint.status !== "paused"
      ? setOpen("enable")
      : change(act("PATCH /webhooks/endpoints/{id}", { ...of, body: { status: "enabled" } }), (enabled) =>
          toast(enabledToast(t, enabled)),
        );
  const actions = [
    ...(may("deliveries:retry") && look.canTest
      ? [{ label: t("sendEventsAgain2"), onSelect: () => setOpen("resend") }]
      : []),
    ...(may("endpoints:manage")
      ? [
          { label: t("rotateSecret"), onSelect: () => setOpen("rotate") },
          ...(look.canPause ? [{ label: t("pause"), onSelect: () => setOpen("pause") }] : []),
          ...(look.canDisable ? [{ label: t("disable"), onSelect: () => setOpen("disable") }] : []),
          { label: t("delete"), tone: "bad" as const, onSelect: () => setOpen("delete") },
        ]
      : []),
  ];

  return (
    <>
      <Permitted to="endpoints:test">
        <Button
          icon={<Send size={16} aria-hidden />}
          busy={busy}
          disabled={!look.canTest}
          title={look.canTest ? undefined : t("enableTheEndpointFirst")}
          onClick={test}
        >
          {t("sendTestEvent")}
        </Button>
      </Permitted>
      <Permitted to="endpoints:manage">
        <Button icon={<Pencil size={16} aria-hidden />} onClick={() => setOpen("edit")}>
          {t("edit")}
        </Button>
      </Permitted>
      {look.canEnable && (
        <Permitted to="endpoints:manage">
          <Button variant="primary" busy={busy} onClick={enable}>
            {endpoint.status === "paused"
              ? t("resume")
              : endpoint.waiting_deliveries
                ? t("enable")
                : t("enable2")}
          </Button>
        </Permitted>
      )}
      {actions.length > 0 && (
        <Menu
          label={t("moreActions")}
          trigger={<IconButton label={t("moreActions")} icon={<EllipsisVertical size={16} aria-hidden />} />}
          items={actions}
        />
      )}

      {open && <EndpointDialogs open={open} endpoint={endpoint} onClose={() => setOpen(null)} />}
    </>
  );
}

function FilterNames({ names }: { names: string[] }) {
  return (
    <span className="inline-flex flex-wrap gap-1">
      {names.map((name) => (
        <Badge key={name}>{name}</Badge>
      ))}
    </span>
  );
}

const code = (content: string[]) => <code key={content.join("")}>{content}</code>;

function EndpointFacts({ endpoint }: { endpoint: Endpoint }) {
  const t = useWords("webhooks");
  return (
    <div className="mb-8 min-w-0">
      <FactList
        rows={[
          [
            "URL",
            <span key="url" className="inline-flex items-center gap-1 font-mono">
              {endpoint.url} <CopyButton value={endpoint.url} label={t("copyUrl")} />
            </span>,
          ],
          [
            t("events"),
            <span key="events" className="inline-flex flex-wrap gap-1">
              {endpoint.events.map((event) => (
                <Badge key={event}>{event}</Badge>
              ))}
            </span>,
          ],
          (endpoint.headers ?? []).length === 0
            ? null
            : [
                t("headers"),
                <span key="headers" className="inline-flex flex-wrap items-center gap-1">
                  {endpoint.headers.map(({ name }) => (
                    <Badge key={name}>{name}</Badge>
                  ))}
                  <span className="text-muted">{t("valuesHidden")}</span>
                </span>,
              ],
          endpoint.rate_per_second
            ? [
                t("rate"),
                <span key="rate">
                  {t("atMostPerSecondNow", {
                    rate: String(endpoint.rate_per_second),
                    waiting: endpoint.status === "enabled" ? (endpoint.waiting_deliveries ?? 0) : 0,
                  })}
                </span>,
              ]
            : null,
          endpoint.models ? [t("onlyModels"), <FilterNames key="models" names={endpoint.models} />] : null,
          endpoint.keys ? [t("onlyKeys"), <FilterNames key="keys" names={endpoint.keys} />] : null,
          [
            t("signingSecret"),
            <span key="secret">
              {t.rich("endsIn", { hint: endpoint.secret_hint }, { code })}
              {endpoint.previous_secrets.map((secret) => (
                <span key={secret.hint}>
                  {t.rich(
                    "alsoValidUntil",
                    { hint: secret.hint },
                    { code, time: () => <Time key="time" value={secret.expires_at} mode="absolute" /> },
                  )}
                </span>
              ))}
            </span>,
          ],
          (endpoint.public_keys ?? []).length === 0
            ? null
            : [
                t("publicKey"),
                <ul key="public">
                  {endpoint.public_keys.map(({ key, expires_at: until }) => (
                    <li key={key} className="flex flex-wrap items-center gap-x-1">
                      <span className="flex min-w-0 items-center gap-1">
                        <code className="min-w-0 text-meta wrap-anywhere">{key}</code>
                        <CopyButton value={key} label={t("copyPublicKey")} />
                      </span>
                      {until && (
                        <span className="text-muted">
                          {t.rich(
                            "validUntil",
                            {},
                            { time: () => <Time key="time" value={until} mode="absolute" /> },
                          )}
                        </span>
                      )}
                    </li>
                  ))}
                </ul>,
              ],
          [t("id"), <IdChip key="id" id={endpoint.id} whole />],
          [t("added"), <Time key="added" value={endpoint.created_at} mode="absolute" />],
        ]}
      />
    </div>
  );
}

/** The endpoint's health in the last 24 hours. */
function EndpointHealthSection({ health }: { health: EndpointHealth }) {
  const t = useWords("webhooks");
  return (
    <Section title={t("health")} description={t("attemptsInTheLast24")}>
      <div className="rounded-panel border bg-panel p-4">
        {hasAttempts(health) ? (
          <HealthChart hourly={health.hourly} />
        ) : (
          <p className="text-muted">{t("nothingWasSentInThe")}</p>
        )}
        <dl className="mt-3 grid grid-cols-2 gap-x-6 gap-y-3 tablet:grid-cols-4">
          <Figure name={t("deliveries")} value={formatNumber(health.deliveries_24h)} />
          <Figure
            name={t("attemptsAccepted")}
            value={
              <>
                <SuccessRate health={health} />{" "}
                <span className="text-meta text-muted">{describeAttempts(t, health)}</span>
              </>
            }
          />
          <Figure name={t("lastSuccess")} value={<Time value={health.last_success_at} />} />
          <Figure name={t("lastFailure")} value={<Time value={health.last_failure_at} />} />
        </dl>
      </div>
    </Section>
  );
}

/** `20 of 60`: several attempts may belong to one delivery. */
function describeAttempts(t: Words<"webhooks">, { hourly }: EndpointHealth): string {
  const accepted = hourly.reduce((sum, { delivered }) => sum + delivered, 0);
  const all = hourly.reduce((sum, { failed }) => sum + failed, accepted);
  return all === 0 ? "" : t("acceptedOf", { accepted, all });
}

function Figure({ name, value }: { name: string; value: ReactNode }) {
  return (
    <div>
      <dt className="text-meta text-muted">{name}</dt>
      <dd className="tabular text-title">{value}</dd>
    </div>
  );
}
