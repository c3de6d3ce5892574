"use client";

import type { List } from "#contract/list.ts";
import type { PresetSummary } from "#contract/presets.ts";
import { useWords } from "#words";
import { useAccess } from "@/components/team/access";
import { MadeBy } from "@/components/team/made-by";
import { Badge } from "@/components/ui/badge";
import { LinkButton } from "@/components/ui/button";
import { ListPage } from "@/components/ui/list/list-page";
import { actionsHead, type Column, RowsTable } from "@/components/ui/list/rows-table";
import { RowControls, RowLink } from "@/components/ui/list/table";
import { NoneWithWords, WordsFilter } from "@/components/ui/list/text-filter";
import { EmptyState } from "@/components/ui/page/empty-state";
import { NotOffered } from "@/components/ui/page/not-offered";
import { Time } from "@/components/ui/time";
import type { GatewayResult } from "@/lib/gateway/result";
import { searchedList } from "@/lib/lists";
import { presetHref } from "@/lib/playground-links";
import { retentionIn } from "@/lib/retention";
import type { Words } from "@/messages/words";

/** The saved inputs of the account. Each opens in the playground of its operation. */
export function PresetsClient({ rows }: { rows: GatewayResult<List<PresetSummary>> }) {
  const t = useWords("presets");
  const ui = useWords("ui");
  const { retentionMinutes } = useAccess();
  return (
    <ListPage
      title={t("presets")}
      description={t("savedInputsSharedWithYour")}
      list={searchedList}
      answer={rows}
      notOffered={<NotOffered what={t("presetsNoun")}>{t("yourLastDraftStaysIn")}</NotOffered>}
      filters={(list) => <WordsFilter list={list} of={t("presetsNoun")} />}
      isFilled
      empty={({ active }) =>
        active > 0 ? (
          <NoneWithWords what={t("presetsNoun")} />
        ) : (
          <EmptyState
            drawing="frames"
            title={retentionMinutes === null ? t("noPresetsYet") : t("noPresets")}
            body={
              retentionMinutes === null
                ? t("fillInTheForm")
                : ui("nothingKept", retentionIn(retentionMinutes))
            }
            action={
              <LinkButton variant="primary" href="/catalog">
                {t("openTheCatalog")}
              </LinkButton>
            }
          />
        )
      }
    >
      {(presets) => <RowsTable label={t("presets")} rows={presets} columns={columnsOf(t)} />}
    </ListPage>
  );
}

const columnsOf = (t: Words<"presets">): readonly Column<PresetSummary>[] => [
  {
    head: t("preset"),
    cellClass: "w-full max-w-0 min-w-36",
    cell: ({ id, name }) => (
      <RowLink href={`/presets/${id}`} className="block truncate">
        {name}
      </RowLink>
    ),
  },
  {
    head: t("model"),
    from: "tablet",
    cell: ({ model, api_type }) => (
      <>
        <span className="block font-mono whitespace-nowrap">{model}</span>
        <span className="block text-meta whitespace-nowrap text-muted">{api_type}</span>
      </>
    ),
  },
  {
    head: t("changed"),
    from: "tablet",
    cell: ({ updated_at, changed_by, made_by }) => (
      <>
        <Time value={updated_at} />
        <MadeBy maker={changed_by ?? made_by} />
      </>
    ),
  },
  {
    head: actionsHead,
    cell: (preset) => (
      <RowControls className="w-full justify-end">
        {preset.current_schema_version !== preset.schema_version && (
          <Badge tone="warn" title={t("theOperationsSchemaHasChanged")}>
            {t("schemaChanged")}
          </Badge>
        )}
        <LinkButton
          size="sm"
          href={presetHref(preset)}
          aria-label={t("openNameInThePlayground", { name: preset.name })}
        >
          {t("open")}
        </LinkButton>
      </RowControls>
    ),
  },
];
