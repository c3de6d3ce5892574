"use client";

import { EllipsisVertical } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import type { OperatorProvider } from "#contract/operator/providers.ts";
import { ManagedByFile } from "@/components/operator/managed-by-file";
import { ProviderFacts } from "@/components/operator/providers/provider-facts";
import { ProviderTestPanel } from "@/components/operator/providers/provider-test";
import { UpstreamModels } from "@/components/operator/providers/upstream-models";
import { Button, IconButton, LinkButton } from "@/components/ui/button";
import { useReturnToRow } from "@/components/ui/list/use-return-to-row";
import { Menu } from "@/components/ui/menu";
import { PageHeader } from "@/components/ui/page/page-header";
import { StatusPill } from "@/components/ui/status-pill";
import { formatCount } from "@/lib/format";
import { providerLook } from "@/lib/status/provider";
import type { ProviderDialog } from "./provider-dialogs";

const ProviderDialogs = dynamic(() => import("./provider-dialogs").then((module) => module.ProviderDialogs), {
  ssr: false,
});

/** One provider: what it is, whether it answers, and the models that it lists. */
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
            ? "This provider is defined in the providers file. Change it there; the file is read again at once."
            : status === "leaving"
              ? `It takes nothing new and goes when ${formatCount(running, "running prediction")} ${running === 1 ? "has" : "have"} ended.`
              : "Test the provider, see its models, and map models to it."
        }
        actions={
          <>
            {status === "active" && (
              <>
                <LinkButton href={`/operator/models/new?provider=${encodeURIComponent(name)}`}>
                  Import a model
                </LinkButton>
                <LinkButton href={`/operator/routes/new?provider=${encodeURIComponent(name)}`}>
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
      {/* What was said of the former key or address says nothing any more. */}
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
