"use client";

import { EllipsisVertical } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import type { OperatorProvider, ProviderKey } from "#contract/operator/providers.ts";
import { ManagedByFile } from "@/components/operator/marks";
import { ProviderTestPanel, UpstreamModels } from "@/components/operator/providers/upstream-models";
import { StatusPill } from "@/components/ui/badge";
import { Button, IconButton, LinkButton } from "@/components/ui/button";
import { Facts } from "@/components/ui/facts";
import { useReturnToRow } from "@/components/ui/list/use-return-to-row";
import { Menu } from "@/components/ui/menu";
import { PageHeader } from "@/components/ui/page/page-header";
import { Section } from "@/components/ui/page/section";
import { Time } from "@/components/ui/time";
import { formatBytes, formatCount, formatDuration } from "@/lib/format";
import { cutStreamLabels, keyText } from "@/lib/operator/provider-labels";
import { providerLook } from "@/lib/status/operator";
import type { ProviderDialog } from "./provider-dialogs.tsx";

const ProviderDialogs = dynamic(
  () => import("./provider-dialogs.tsx").then((module) => module.ProviderDialogs),
  {
    ssr: false,
  },
);

/** One provider: its settings, whether it answers, and the models that it lists. */
export function ProviderClient({ provider, testNow }: { provider: OperatorProvider; testNow: boolean }) {
  useReturnToRow("/operator/providers");
  const [open, setOpen] = useState<ProviderDialog | null>(null);
  const { name, managed_by, status, problem, running_predictions: running, updated_at } = provider;
  const [openedAt] = useState(updated_at);
  const look = providerLook(provider);
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
            ? "This provider is in the providers file. Change it there."
            : status === "leaving"
              ? `Leaving: removed when ${formatCount(running, "running prediction")} ${running === 1 ? "has" : "have"} ended.`
              : "Test the provider, see its models and map them."
        }
        actions={
          <>
            {status === "active" && (
              <>
                <LinkButton href={`/operator/models/new?provider=${encodeURIComponent(name)}`}>
                  Import a model
                </LinkButton>
                <LinkButton href={`/operator/mapping/new?provider=${encodeURIComponent(name)}`}>
                  Map models
                </LinkButton>
              </>
            )}
            {ours && (
              <Button onClick={() => setOpen(hasSeveral ? "keys" : "key")}>
                {hasSeveral ? "Change keys" : "Replace key"}
              </Button>
            )}
            {ours && (
              <Menu
                label="More actions"
                trigger={
                  <IconButton label="More actions" icon={<EllipsisVertical size={16} aria-hidden />} />
                }
                items={[
                  { label: "Several keys…", onSelect: () => setOpen("keys") },
                  { label: "Edit address and limits…", onSelect: () => setOpen("edit") },
                  { label: "Remove…", tone: "bad", onSelect: () => setOpen("remove") },
                ]}
              />
            )}
          </>
        }
      />
      {problem && (
        <p role="alert" className="mb-4 rounded-panel border border-bad bg-bad-soft p-3 wrap-anywhere">
          {problem}
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

const timeoutNames: Record<string, string> = {
  connect: "Connecting",
  answer: "A call that generates",
  job: "Submitting or polling a job",
  whole: "A whole answer",
  stream: "A whole stream",
  idle: "Silence within an answer",
  run: "A whole job",
};

/** One key: its visible facts, its limits, and whether the gateway avoids it for now. */
function KeyFact({ of, isOnly }: { of: ProviderKey; isOnly: boolean }) {
  const { name, share = 1, per_minute: perMinute, concurrency, set_aside: aside } = of;
  const limits = [
    `share ${share}`,
    ...(perMinute === undefined ? [] : [`${perMinute} a minute`]),
    ...(concurrency === undefined ? [] : [`${concurrency} at once`]),
  ];
  return (
    <span className="block text-muted">
      {isOnly ? "Key" : name}: {keyText(of)}
      {!isOnly && `, ${limits.join(", ")}`}
      {aside && (
        <span className="block text-warn">
          Paused until <Time value={aside.until} mode="absolute" />: {aside.reason}
        </span>
      )}
    </span>
  );
}

/** The settings, without keys. */
function ProviderFacts({ provider }: { provider: OperatorProvider }) {
  const { settings, credentials } = provider;
  const timeouts = Object.entries(settings.timeouts_ms ?? {});
  const facts: [string, React.ReactNode][] = [
    ["Protocol", provider.protocol],
    ...(provider.former_names.length > 0
      ? [["Former names", provider.former_names.join(", ")] as [string, string]]
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
    ["Private addresses", provider.allow_private ? "Allowed" : "Refused"],
    ...(settings.media ? [["Media inputs are sent as", settings.media] as [string, string]] : []),
    ...(settings.output_origins?.length
      ? [["Origins of outputs", settings.output_origins.join(", ")] as [string, string]]
      : []),
    ...(settings.inline_max_bytes !== undefined
      ? [["Largest inline input", formatBytes(settings.inline_max_bytes)] as [string, string]]
      : []),
    ...timeouts.map(([part, ms]): [string, string] => [
      `Time-out: ${timeoutNames[part] ?? part}`,
      formatDuration(ms ?? 0),
    ]),
    ...(settings.queries_per_second !== undefined
      ? [["Job queries per second", String(settings.queries_per_second)] as [string, string]]
      : []),
    ...(settings.cut_streams !== undefined
      ? [["Streams that end early", cutStreamLabels[settings.cut_streams]] as [string, string]]
      : []),
    ...(settings.send_cache_key !== undefined
      ? [["Conversations are named to it", settings.send_cache_key ? "Yes" : "No"] as [string, string]]
      : []),
    ...(settings.send_traceparent !== undefined
      ? [["Traces continue there", settings.send_traceparent ? "Yes" : "No"] as [string, string]]
      : []),
    ...(provider.updated_at
      ? [
          ["Changed", <Time key="changed" value={provider.updated_at} mode="absolute" />] as [
            string,
            React.ReactNode,
          ],
        ]
      : []),
  ];
  return (
    <Section title="Settings">
      <Facts facts={facts} />
    </Section>
  );
}
