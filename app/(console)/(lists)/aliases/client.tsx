"use client";

import { Pencil, Plus, Trash2 } from "lucide-react";
import dynamic from "next/dynamic";
import { type ComponentProps, useState } from "react";
import type { Alias, AliasCreate, AliasList } from "#contract/aliases.ts";
import { useWords } from "#words";
import type { ModelChoice } from "@/components/aliases/alias-dialog";
import { aliasSentence } from "@/components/aliases/alias-sentence";
import { GuideLink } from "@/components/guides/guide-link";
import { useAccess } from "@/components/team/access";
import { Permitted } from "@/components/team/permitted";
import { Badge } from "@/components/ui/badge";
import { Button, IconButton } from "@/components/ui/button";
import { actionsHead, type Column, RowsTable } from "@/components/ui/list/rows-table";
import { RowControls } from "@/components/ui/list/table";
import { useRowSearch } from "@/components/ui/list/use-row-search";
import { EmptyState } from "@/components/ui/page/empty-state";
import { LoadFailure } from "@/components/ui/page/error-panel";
import { failureToast } from "@/components/ui/page/failure-toast";
import { usePageRouter } from "@/components/ui/page/link";
import { PageHeader } from "@/components/ui/page/page-header";
import { useAsked } from "@/components/ui/page/use-asked";
import { useUndoable } from "@/components/ui/page/use-undoable";
import { Time } from "@/components/ui/time";
import { useToast } from "@/components/ui/toast";
import { act } from "@/lib/gateway/act";
import type { GatewayFailure, GatewayResult } from "@/lib/gateway/result";
import { listText } from "@/lib/words/list-text";
import type { Words } from "@/messages/words";

const AliasDialog = dynamic(
  () => import("@/components/aliases/alias-dialog").then((module) => module.AliasDialog),
  { ssr: false },
);

interface AliasesClientProps {
  aliases: GatewayResult<AliasList>;
  models: readonly ModelChoice[];
  /** A name from the address, for which the dialog opens; null without one. */
  newName: string | null;
}

/** Aliases: the model that each one runs, and its fallbacks. */
export function AliasesClient({ aliases, models, newName }: AliasesClientProps) {
  const t = useWords("aliases");
  const { may } = useAccess();
  const isNew = aliases.ok && !aliases.data.data.some(({ name }) => name === newName);
  const [edited, setEdited] = useState<Alias | "new" | null>(
    newName !== null && isNew && may("aliases:manage") ? "new" : null,
  );
  const [givenName, setGivenName] = useState(newName);
  const close = () => {
    setEdited(null);
    setGivenName(null);
  };
  const { save, remove } = useAliasChanges();
  useAsked("add", useAccess().may("aliases:manage") && (() => setEdited("new")));
  const add = (
    <Permitted to="aliases:manage">
      <Button variant="primary" icon={<Plus size={16} aria-hidden />} onClick={() => setEdited("new")}>
        {t("addAlias")}
      </Button>
    </Permitted>
  );
  return (
    <>
      <PageHeader
        title={t("aliases")}
        description={t("yourOwnNamesForModels")}
        actions={aliases.ok && aliases.data.data.length > 0 && add}
      />
      {!aliases.ok ? (
        <LoadFailure error={aliases.error} />
      ) : aliases.data.data.length === 0 ? (
        <EmptyState
          drawing="gate"
          title={t("noAliasesYet")}
          body={
            <>
              {t("whatAliasesDo")} <GuideLink to="clients">{t("clientsAndAgents")}</GuideLink>
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
          newName={givenName ?? ""}
          models={models}
          save={async (values) => {
            const failure = await save(edited === "new" ? null : edited, values);
            if (!failure) close();
            return failure;
          }}
          onClose={close}
        />
      )}
    </>
  );
}

function FoundAliases({ aliases, ...rest }: ComponentProps<typeof AliasesTable>) {
  const { found, bar } = useRowSearch({
    rows: aliases,
    textOf: ({ id, name, models }) => [id, name, ...models].join(" "),
    noun: "alias",
  });
  return (
    <>
      {bar}
      {found.length > 0 && <AliasesTable aliases={found} {...rest} />}
    </>
  );
}

/** Creates, changes and deletes aliases. Each change can be undone. */
function useAliasChanges() {
  const router = usePageRouter();
  const { toast } = useToast();
  const { change } = useUndoable(() => router.refresh());

  return {
    async save(before: Alias | null, values: AliasCreate): Promise<GatewayFailure | null> {
      const { for_everyone: _, ...update } = values;
      const done = before
        ? await change(
            act("PATCH /aliases/{id}", { params: { id: before.id }, body: update }),
            ({ name }) => `${name} changed`,
            ({ id }) => {
              const { name, models, go_on_when, continue_streams } = before;
              return () =>
                act("PATCH /aliases/{id}", {
                  params: { id },
                  body: { name, models, go_on_when, continue_streams },
                });
            },
          )
        : await change(
            act("POST /aliases", { body: values }),
            ({ name }) => `${name} added`,
            ({ id }) =>
              () =>
                act("DELETE /aliases/{id}", { params: { id } }),
          );
      return "failure" in done ? done.failure : null;
    },
    async remove({ id, name, models, go_on_when, continue_streams, for_everyone }: Alias): Promise<void> {
      const done = await change(
        act("DELETE /aliases/{id}", { params: { id } }),
        () => `${name} deleted`,
        () => () =>
          act("POST /aliases", { body: { name, models, go_on_when, continue_streams, for_everyone } }),
      );
      if ("failure" in done) toast(await failureToast(done.failure));
    },
  };
}

interface AliasesTableProps {
  aliases: readonly Alias[];
  onEdit: (alias: Alias) => void;
  onRemove: (alias: Alias) => Promise<void>;
}

function AliasesTable({ aliases, onEdit, onRemove }: AliasesTableProps) {
  const t = useWords("aliases");
  const { may, operator } = useAccess();
  const mayChange = ({ for_everyone }: Alias) => may("aliases:manage") && (operator || !for_everyone);
  const actions: Column<Alias> = {
    head: actionsHead,
    cell: (alias) =>
      mayChange(alias) && (
        <RowControls className="w-full justify-end">
          <IconButton
            size="sm"
            label={t("changeName", { name: alias.name })}
            icon={<Pencil size={14} aria-hidden />}
            onClick={() => onEdit(alias)}
          />
          <IconButton
            size="sm"
            label={t("deleteName", { name: alias.name })}
            icon={<Trash2 size={14} aria-hidden />}
            onClick={() => void onRemove(alias)}
          />
        </RowControls>
      ),
  };
  return <RowsTable label={t("aliases")} rows={aliases} columns={[...columns(t), actions]} />;
}

const columns = (t: Words<"aliases">): readonly Column<Alias>[] => [
  {
    head: t("name"),
    cellClass: "max-w-72 min-w-32",
    cell: ({ name, for_everyone }) => (
      <>
        <code className="font-medium text-ink wrap-anywhere">{name}</code>
        {for_everyone && (
          <span className="block">
            <Badge>{t("forAllAccounts")}</Badge>
          </span>
        )}
      </>
    ),
  },
  {
    head: t("whatHappens"),
    cellClass: "min-w-48 wrap-anywhere",
    cell: (alias) => (
      <>
        {aliasSentence(t, alias)}
        {alias.unavailable.length > 0 && (
          <span className="block text-warn">
            {t("notInYourCatalog", {
              models: listText(t.language, alias.unavailable, "plain"),
              count: alias.unavailable.length,
            })}
          </span>
        )}
      </>
    ),
  },
  {
    head: t("changed"),
    from: "desktop",
    cell: ({ updated_at }) => <Time value={updated_at} />,
  },
];
