"use client";

import { Plus } from "lucide-react";
import dynamic from "next/dynamic";
import { type ComponentProps, useState } from "react";
import type { Alias, AliasList } from "#contract/aliases.ts";
import { AliasesTable } from "@/components/aliases/aliases-table";
import type { ModelChoice } from "@/components/aliases/model-order";
import { GuideLink } from "@/components/guides/guide-link";
import { Permitted } from "@/components/team/permitted";
import { Button } from "@/components/ui/button";
import { useRowSearch } from "@/components/ui/list/use-row-search";
import { EmptyState } from "@/components/ui/page/empty-state";
import { LoadFailure } from "@/components/ui/page/load-failure";
import { PageHeader } from "@/components/ui/page/page-header";
import type { GatewayResult } from "@/lib/gateway/result";
import { useAliasChanges } from "./use-alias-changes";

const AliasDialog = dynamic(
  () => import("@/components/aliases/alias-dialog").then((module) => module.AliasDialog),
  { ssr: false },
);

interface AliasesClientProps {
  aliases: GatewayResult<AliasList>;
  models: readonly ModelChoice[];
}

/** Names that stand for models: what runs, and what is tried after it. */
export function AliasesClient({ aliases, models }: AliasesClientProps) {
  const [edited, setEdited] = useState<Alias | "new" | null>(null);
  const { save, remove } = useAliasChanges();
  const add = (
    <Permitted to="aliases:manage">
      <Button variant="primary" icon={<Plus size={16} aria-hidden />} onClick={() => setEdited("new")}>
        Add alias
      </Button>
    </Permitted>
  );
  return (
    <>
      <PageHeader
        title="Aliases"
        description="Names that your programs use instead of a model’s own: the models behind them can change while the programs stay."
        actions={aliases.ok && aliases.data.data.length > 0 && add}
      />
      {!aliases.ok ? (
        <LoadFailure error={aliases.error} />
      ) : aliases.data.data.length === 0 ? (
        <EmptyState
          drawing="gate"
          title="No aliases yet"
          body={
            <>
              Agents and libraries ask for models by names of their own, such as gpt-5. An alias lets such a
              name run on the models that you choose. <GuideLink to="clients">Clients and agents</GuideLink>
            </>
          }
          action={add}
        />
      ) : (
        <FoundAliases aliases={aliases.data.data} onEdit={setEdited} onRemove={remove} />
      )}
      {edited && (
        <AliasDialog
          alias={edited === "new" ? null : edited}
          models={models}
          save={async (values) => {
            const failure = await save(edited === "new" ? null : edited, values);
            if (!failure) setEdited(null);
            return failure;
          }}
          onClose={() => setEdited(null)}
        />
      )}
    </>
  );
}

function FoundAliases({ aliases, ...rest }: ComponentProps<typeof AliasesTable>) {
  const { found, bar } = useRowSearch({
    rows: aliases,
    textOf: ({ id, name, models }) => [id, name, ...models].join(" "),
    noun: "aliases",
  });
  return (
    <>
      {bar}
      {found.length > 0 && <AliasesTable aliases={found} {...rest} />}
    </>
  );
}
