"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useDeferredValue, useState } from "react";
import type { ApiType } from "#contract/catalog.ts";
import type { PresetSummary } from "#contract/presets.ts";
import { searchLimits } from "#contract/search-words.ts";
import { Dialog } from "@/components/ui/dialog";
import { Field } from "@/components/ui/form/field";
import { Input } from "@/components/ui/form/input";
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

/** More than anybody looks through. */
const listed = 100;
/** Hide the name filter at or below this many rows. */
const glanceRows = 5;

export interface PresetsDialogProps {
  open: boolean;
  onClose: () => void;
  model: string;
  apiType: ApiType;
  accountId: string;
  /** The draft; null while it is not a JSON object. */
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
  const [search, setSearch] = useState("");
  const wanted = useDeferredValue(search.trim());
  const sought = { ...query, search: wanted };
  const found = useQuery({
    queryKey: queryKeys.presets(sought),
    queryFn: () => fetchRoute("GET /presets", { query: sought }),
    enabled: open && wanted !== "",
    placeholderData: keepPreviousData,
  });
  const [renaming, setRenaming] = useState<PresetSummary | null>(null);
  const changes = usePresetChanges({ model, apiType, accountId, onDone: onClose });
  const failure = changes.failure ?? failureBehind(list.error ?? found.error);
  const isThere = ({ id }: PresetSummary) => !changes.hidden.has(id);
  const presets = list.data?.data.filter(isThere) ?? [];
  const shown = wanted === "" ? presets : (found.data?.data.filter(isThere) ?? []);

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
          {(presets.length > glanceRows || search !== "") && (
            <Field label="Find by name">
              {(aria) => (
                <Input
                  {...aria}
                  type="search"
                  value={search}
                  maxLength={searchLimits.length}
                  autoComplete="off"
                  onChange={(event) => setSearch(event.target.value)}
                />
              )}
            </Field>
          )}
          {wanted !== "" && found.isSuccess && shown.length === 0 && (
            <p className="text-muted">No preset of this operation matches all of these words.</p>
          )}
          {shown.length > 0 && (
            <ul aria-label="Presets" className="divide-y rounded-panel border">
              {shown.map((preset) => (
                <li key={preset.id} className="px-3 py-2">
                  {renaming?.id === preset.id ? (
                    <RenameForm
                      name={preset.name}
                      busy={changes.busy}
                      onCancel={() => setRenaming(null)}
                      onRename={async (name) => {
                        // Once told about somebody else's change, the person may overwrite it.
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
          {(wanted === "" ? list : found).data?.has_more && (
            <p className="text-meta text-muted">These are the newest {listed}. Find the others by name.</p>
          )}
        </div>
      )}
    </Dialog>
  );
}
