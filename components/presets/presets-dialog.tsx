"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { ApiType } from "#contract/catalog.ts";
import type { PresetSummary } from "#contract/presets.ts";
import { Dialog } from "@/components/ui/dialog";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { NotOffered } from "@/components/ui/page/not-offered";
import { Skeleton } from "@/components/ui/page/skeleton";
import { failureBehind, fetchRoute } from "@/lib/browser/fetch-from-gateway";
import { queryKeys } from "@/lib/query-keys";
import type { JsonObject } from "@/lib/schema-form/json";
import { PresetRow } from "./preset-row";
import { RenameForm } from "./rename-form";
import { SaveForm } from "./save-form";
import { usePresetChanges } from "./use-preset-changes";

/** More than anybody looks through; the palette finds the others. */
const listed = 100;

export interface PresetsDialogProps {
  open: boolean;
  onClose: () => void;
  model: string;
  apiType: ApiType;
  accountId: string;
  /** The draft; null while it is no JSON object. */
  input: JsonObject | null;
}

/** The presets of one operation: open, save, replace, rename, share, delete. */
export function PresetsDialog({ open, onClose, model, apiType, accountId, input }: PresetsDialogProps) {
  const query = { model, api_type: apiType, limit: listed };
  const list = useQuery({
    queryKey: queryKeys.presets(query),
    queryFn: () => fetchRoute("GET /presets", { query }),
    enabled: open,
  });
  const [renaming, setRenaming] = useState<PresetSummary | null>(null);
  const changes = usePresetChanges({ model, apiType, accountId, onDone: onClose });
  const failure = changes.failure ?? failureBehind(list.error);
  const presets = list.data?.data.filter(({ id }) => !changes.hidden.has(id)) ?? [];

  return (
    <Dialog
      open={open}
      onOpenChange={() => {
        setRenaming(null);
        changes.clearFailure();
        onClose();
      }}
      title="Presets"
      description={
        <>
          Saved inputs of <code>{model}</code>, shared with your team.
        </>
      }
    >
      {failure?.code === "route_not_found" ? (
        <NotOffered what="presets" brief>
          Your last draft stays in this browser.
        </NotOffered>
      ) : (
        <div className="space-y-4">
          <SaveForm
            presets={presets}
            input={input}
            busy={changes.busy}
            onSave={(name) => input && changes.save(name, input)}
            onReplace={(preset) => input && changes.replace(preset, input)}
          />
          {failure && <ErrorPanel error={failure} />}
          {list.isFetching && presets.length === 0 && <Skeleton className="h-24" />}
          {list.isSuccess && !list.isFetching && presets.length === 0 && (
            <p className="text-muted">No presets yet. Save the input of the form under a name.</p>
          )}
          {presets.length > 0 && (
            <ul aria-label="Presets" className="divide-y rounded-panel border">
              {presets.map((preset) => (
                <li key={preset.id} className="px-3 py-2">
                  {renaming?.id === preset.id ? (
                    <RenameForm
                      name={preset.name}
                      busy={changes.busy}
                      onCancel={() => setRenaming(null)}
                      onRename={async (name) => {
                        // Once it was told that somebody was quicker, it may overwrite that.
                        const seen = changes.failure?.code === "preset_changed" ? preset : renaming;
                        if (await changes.rename(seen, name)) setRenaming(null);
                      }}
                    />
                  ) : (
                    <PresetRow
                      preset={preset}
                      accountId={accountId}
                      canReplace={input !== null}
                      onOpen={onClose}
                      onReplace={() => input && changes.replace(preset, input)}
                      onRename={() => setRenaming(preset)}
                      onDelete={() => changes.deleteSoon(preset)}
                    />
                  )}
                </li>
              ))}
            </ul>
          )}
          {list.data?.has_more && (
            <p className="text-meta text-muted">These are the newest {listed}. Search finds the others.</p>
          )}
        </div>
      )}
    </Dialog>
  );
}
