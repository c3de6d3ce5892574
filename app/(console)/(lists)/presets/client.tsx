"use client";

import type { List } from "#contract/list.ts";
import type { PresetSummary } from "#contract/presets.ts";
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
import { whyNothingKept } from "@/lib/retention";

/** The saved inputs of the account. Each opens in the playground of its operation. */
export function PresetsClient({ rows }: { rows: GatewayResult<List<PresetSummary>> }) {
  const { retentionMinutes } = useAccess();
  return (
    <ListPage
      title="Presets"
      description="Saved inputs, shared with your team."
      list={searchedList}
      answer={rows}
      notOffered={<NotOffered what="presets">Your last draft stays in this browser.</NotOffered>}
      filters={(list) => <WordsFilter list={list} of="presets" />}
      isFilled
      empty={({ active }) =>
        active > 0 ? (
          <NoneWithWords what="presets" />
        ) : (
          <EmptyState
            drawing="frames"
            title={retentionMinutes === null ? "No presets yet" : "No presets"}
            body={
              retentionMinutes === null
                ? "Fill in the form of a model and choose Presets to save the input under a name."
                : whyNothingKept(retentionMinutes)
            }
            action={
              <LinkButton variant="primary" href="/catalog">
                Open the catalog
              </LinkButton>
            }
          />
        )
      }
    >
      {(presets) => <RowsTable label="Presets" rows={presets} columns={columns} />}
    </ListPage>
  );
}

const columns: readonly Column<PresetSummary>[] = [
  {
    head: "Preset",
    cellClass: "w-full max-w-0 min-w-36",
    cell: ({ id, name }) => (
      <RowLink href={`/presets/${id}`} className="block truncate">
        {name}
      </RowLink>
    ),
  },
  {
    head: "Model",
    from: "tablet",
    cell: ({ model, api_type }) => (
      <>
        <span className="block font-mono whitespace-nowrap">{model}</span>
        <span className="block text-meta whitespace-nowrap text-muted">{api_type}</span>
      </>
    ),
  },
  {
    head: "Changed",
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
          <Badge tone="warn" title="The operation's schema has changed since this preset was saved">
            Schema changed
          </Badge>
        )}
        <LinkButton size="sm" href={presetHref(preset)} aria-label={`Open ${preset.name} in the playground`}>
          Open
        </LinkButton>
      </RowControls>
    ),
  },
];
