"use client";

import { EllipsisVertical } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import type { OperatorProvider, ProviderKey } from "#contract/operator/providers.ts";
import { useWords } from "#words";
import { ManagedByFile } from "@/components/operator/marks";
import { ProviderTestPanel, UpstreamModels } from "@/components/operator/providers/upstream-models";
import { UpstreamFailure } from "@/components/operator/upstream-failure";
import { StatusPill } from "@/components/ui/badge";
import { Button, IconButton, LinkButton } from "@/components/ui/button";
import { Facts } from "@/components/ui/facts";
import { useReturnToRow } from "@/components/ui/list/use-return-to-row";
import { Menu } from "@/components/ui/menu";
import { PageHeader } from "@/components/ui/page/page-header";
import { Section } from "@/components/ui/page/section";
import { Time } from "@/components/ui/time";
import { Coded } from "@/components/words/coded";
import { formatBytes, formatDuration } from "@/lib/format";
import { cutStreamLabels, keyText } from "@/lib/operator/provider-labels";
import { providerLook } from "@/lib/status/operator";
import { listText } from "@/lib/words/list-text";
import type { Key } from "@/messages/words";
import type { ProviderDialog } from "./provider-dialogs.tsx";

const ProviderDialogs = dynamic(
  () => import("./provider-dialogs.tsx").then((module) => module.ProviderDialogs),
  {
    ssr: false,
  },
);

/** One provider: its settings, whether it answers, and the models that it lists. */
export function ProviderClient({ provider, testNow }: { provider: OperatorProvider; testNow: boolean }) {
  const t = useWords("providers");
  const shared = useWords("operator");
  useReturnToRow("/operator/providers");
  const [open, setOpen] = useState<ProviderDialog | null>(null);
  const { name, managed_by, status, problem, running_predictions: running, updated_at } = provider;
  const [openedAt] = useState(updated_at);
  const look = providerLook(shared, provider);
  const hasSeveral = provider.credentials.some(({ keys }) => keys.length > 1);
  const ours = managed_by === "console" && status === "active";
  return (
    <>
      <PageHeader
        title={
          <span className="inline-flex flex-wrap items-center gap-2">
            <span className="wrap-anywhere">{name}</span> <StatusPill {...look} title={look.meaning} />
            {managed_by === "file" && <ManagedByFile />}
          </span>
        }
        description={
          managed_by === "file"
            ? t("thisProviderIsInThe")
            : status === "leaving"
              ? t("leavingUntil", { count: running })
              : t("testTheProviderSeeIts")
        }
        actions={
          <>
            {status === "active" && (
              <>
                <LinkButton href={`/operator/models/new?provider=${encodeURIComponent(name)}`}>
                  {t("importAModel")}
                </LinkButton>
                <LinkButton href={`/operator/mapping/new?provider=${encodeURIComponent(name)}`}>
                  {t("mapModels")}
                </LinkButton>
              </>
            )}
            {ours && (
              <Button onClick={() => setOpen(hasSeveral ? "keys" : "key")}>
                {hasSeveral ? t("changeKeys") : t("replaceKey")}
              </Button>
            )}
            {ours && (
              <Menu
                label={t("moreActions")}
                trigger={
                  <IconButton label={t("moreActions")} icon={<EllipsisVertical size={16} aria-hidden />} />
                }
                items={[
                  { label: t("severalKeys"), onSelect: () => setOpen("keys") },
                  { label: t("editAddressAndLimits"), onSelect: () => setOpen("edit") },
                  { label: t("remove"), tone: "bad", onSelect: () => setOpen("remove") },
                ]}
              />
            )}
          </>
        }
      />
      {problem && (
        <p role="alert" className="mb-4 rounded-panel border border-bad bg-bad-soft p-3 wrap-anywhere">
          <Coded text={problem} codes={provider.problem_codes} />
        </p>
      )}
      {/* A new key or address invalidates the earlier test result. */}
      <ProviderTestPanel
        key={updated_at}
        id={provider.id}
        testNow={testNow || updated_at !== openedAt}
        fix={
          ours ? { address: () => setOpen("edit"), key: () => setOpen(hasSeveral ? "keys" : "key") } : null
        }
      />
      <ProviderFacts provider={provider} />
      {status === "active" && <UpstreamModels provider={provider} />}
      {open && <ProviderDialogs open={open} provider={provider} onClose={() => setOpen(null)} />}
    </>
  );
}

const timeoutNames: Record<string, Key<"providers">> = {
  connect: "connectTimeout",
  answer: "answerTimeout",
  job: "jobTimeout",
  whole: "wholeTimeout",
  stream: "streamTimeout",
  idle: "idleTimeout",
  run: "runTimeout",
};

/** One key: its visible facts, its limits, and whether the gateway avoids it for now. */
function KeyFact({ of, isOnly }: { of: ProviderKey; isOnly: boolean }) {
  const t = useWords("providers");
  const shared = useWords("operator");
  const { name, share = 1, per_minute: perMinute, concurrency, set_aside: aside } = of;
  const key = keyText(shared, of);
  const limits = [
    t("shareOf", { share }),
    ...(perMinute === undefined ? [] : [t("aMinute", { count: perMinute })]),
    ...(concurrency === undefined ? [] : [t("atOnce", { count: concurrency })]),
  ];
  return (
    <span className="block text-muted">
      {isOnly
        ? t("onlyKey", { key })
        : t("namedKey", { name, facts: listText(t.language, [key, ...limits], "plain") })}
      {aside && (
        <span className="block text-warn">
          {t.rich(
            "pausedUntil",
            { reason: aside.reason },
            {
              english: () => <UpstreamFailure key="english" code={aside.code} message={aside.reason} />,
              time: () => <Time key="time" value={aside.until} mode="absolute" />,
            },
          )}
        </span>
      )}
    </span>
  );
}

/** The settings, without keys. */
function ProviderFacts({ provider }: { provider: OperatorProvider }) {
  const t = useWords("providers");
  const shared = useWords("operator");
  const { settings, credentials } = provider;
  const timeouts = Object.entries(settings.timeouts_ms ?? {});
  const facts: [string, React.ReactNode][] = [
    [t("protocol"), provider.protocol],
    ...(provider.former_names.length > 0
      ? [[t("formerNames"), listText(t.language, provider.former_names, "plain")] as [string, string]]
      : []),
    ...credentials.map(({ region, base_url, keys }): [string, React.ReactNode] => [
      region,
      <span key={region} className="block">
        {base_url && <span className="block font-mono text-meta">{base_url}</span>}
        {keys.map((key) => (
          <KeyFact key={key.name} of={key} isOnly={keys.length === 1} />
        ))}
      </span>,
    ]),
    [t("privateAddresses"), provider.allow_private ? t("allowed") : t("refused")],
    ...(settings.media ? [[t("mediaSentAs"), settings.media] as [string, string]] : []),
    ...(settings.output_origins?.length
      ? [[t("originsOfOutputs"), listText(t.language, settings.output_origins, "plain")] as [string, string]]
      : []),
    ...(settings.inline_max_bytes !== undefined
      ? [[t("largestInline"), formatBytes(settings.inline_max_bytes)] as [string, string]]
      : []),
    ...timeouts.map(([part, ms]): [string, string] => [
      t("timeoutOf", { part: timeoutNames[part] ? t.text(timeoutNames[part]) : part }),
      formatDuration(ms ?? 0, t.language),
    ]),
    ...(settings.queries_per_second !== undefined
      ? [[t("jobQueries"), String(settings.queries_per_second)] as [string, string]]
      : []),
    ...(settings.cut_streams !== undefined
      ? [[t("streamsThatEndEarly"), shared.text(cutStreamLabels[settings.cut_streams])] as [string, string]]
      : []),
    ...(settings.send_cache_key !== undefined
      ? [[t("conversationsNamed"), settings.send_cache_key ? t("yes") : t("no")] as [string, string]]
      : []),
    ...(settings.send_traceparent !== undefined
      ? [[t("tracesContinue"), settings.send_traceparent ? t("yes") : t("no")] as [string, string]]
      : []),
    ...(provider.updated_at
      ? [
          [t("changed"), <Time key="changed" value={provider.updated_at} mode="absolute" />] as [
            string,
            React.ReactNode,
          ],
        ]
      : []),
  ];
  return (
    <Section title={t("settings")}>
      <Facts facts={facts} />
    </Section>
  );
}
