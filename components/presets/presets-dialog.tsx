"use client";

import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { EllipsisVertical } from "lucide-react";
import { useDeferredValue, useState } from "react";
import type { ApiType } from "#contract/catalog.ts";
import { presetFields } from "#contract/preset-constants.ts";
import type { Preset, PresetSummary } from "#contract/presets.ts";
import { searchLimits } from "#contract/search-words.ts";
import { useWords } from "#words";
import { useAccess } from "@/components/team/access";
import { Permitted } from "@/components/team/permitted";
import { Badge } from "@/components/ui/badge";
import { Button, IconButton } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { Dialog } from "@/components/ui/dialog";
import { Field, wholePattern } from "@/components/ui/form/field";
import { Input } from "@/components/ui/form/input";
import { InputField } from "@/components/ui/form/input-fields";
import { useSend } from "@/components/ui/form/use-send";
import { Menu } from "@/components/ui/menu";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { failureToast } from "@/components/ui/page/failure-toast";
import { Link } from "@/components/ui/page/link";
import { NotOffered } from "@/components/ui/page/not-offered";
import { Skeleton } from "@/components/ui/page/skeleton";
import { Time } from "@/components/ui/time";
import { useToast } from "@/components/ui/toast";
import { useDeleteWithUndo } from "@/components/ui/use-delete-with-undo";
import { answerOf } from "@/lib/browser/action-answer";
import { copyText } from "@/lib/browser/copy-text";
import { failureBehind, fetchRoute } from "@/lib/browser/fetch-from-gateway";
import { callRoute } from "@/lib/browser/gateway";
import { act } from "@/lib/gateway/act";
import type { GatewayResult } from "@/lib/gateway/result";
import { presetHref, sharedAddress } from "@/lib/playground-links";
import { versionLabel } from "@/lib/presets/labels";
import { queryKeys } from "@/lib/query-keys";
import { draftFromInput } from "@/lib/schema-form/draft";
import { isObject, type JsonObject } from "@/lib/schema-form/json";
import { RenameForm } from "./rename-form.tsx";

/** The dialog lists at most this many presets, more than anybody looks through. */
const listed = 100;

export interface PresetsDialogProps {
  open: boolean;
  onClose: () => void;
  model: string;
  apiType: ApiType;
  accountId: string;
  /** The draft. Null while it is not a JSON object. */
  input: JsonObject | null;
}

/** The name filter is hidden at or below this number of rows. */
const glanceRows = 5;

/** The presets of one operation, with buttons to open, save, replace, rename, share and delete them. */
export function PresetsDialog({ open, onClose, model, apiType, accountId, input }: PresetsDialogProps) {
  const t = useWords("presets");
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
      title={t("presets")}
      description={
        <>{t.rich("savedInputsOf", { model }, { code: (content) => <code key="code">{content}</code> })}</>
      }
    >
      {failure?.code === "route_not_found" ? (
        <NotOffered what={t("presetsNoun")} brief>
          {t("yourLastDraftStaysIn")}
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
            <p className="text-muted">{t("noPresetsYetSaveThe")}</p>
          )}
          {(presets.length > glanceRows || search !== "") && (
            <InputField
              label={t("findByName")}
              type="search"
              value={search}
              maxLength={searchLimits.length}
              autoComplete="off"
              onValue={setSearch}
            />
          )}
          {wanted !== "" && found.isSuccess && shown.length === 0 && (
            <p className="text-muted">{t("noPresetOfThisOperation")}</p>
          )}
          {shown.length > 0 && (
            <ul aria-label={t("presets")} className="divide-y rounded-panel border">
              {shown.map((preset) => (
                <li key={preset.id} className="px-3 py-2">
                  {renaming?.id === preset.id ? (
                    <RenameForm
                      name={preset.name}
                      rule={presetFields.name}
                      busy={changes.busy}
                      onCancel={() => setRenaming(null)}
                      onRename={async (name) => {
                        // After a warning about another person's change, the user may overwrite it.
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
            <p className="text-meta text-muted">{t("theseAreTheNewestListed", { listed })}</p>
          )}
        </div>
      )}
    </Dialog>
  );
}

interface PresetChangesProps {
  model: string;
  apiType: ApiType;
  accountId: string;
  /** A message on the page reports the result, so the dialog closes. */
  onDone: () => void;
}

/** Actions for the presets of an operation. Replacing and deleting can be undone. */
function usePresetChanges({ model, apiType, accountId, onDone }: PresetChangesProps) {
  const t = useWords("presets");
  const { toast } = useToast();
  const client = useQueryClient();
  const { busy, failure, show, send } = useSend();
  const refresh = () => void client.invalidateQueries({ queryKey: ["presets"] });
  const { hidden, deleteSoon } = useDeleteWithUndo({
    path: "/presets",
    remove: (id) => act("DELETE /presets/{id}", { params: { id } }),
    goneCode: "preset_not_found",
    onGone: refresh,
  });

  /** Null if refused. The dialog shows the reason. */
  const done = async <Data,>(call: Promise<GatewayResult<Data>>): Promise<Data | null> => {
    const answer = await send(() => call);
    refresh();
    return answer.ok ? answer.data : null;
  };

  /**
   * Restores a preset. `replaced` is the version that replaced it. If the preset has changed again since, the
   * later change stays.
   */
  const restore = async ({ id, name, input }: Preset, replaced: number) => {
    const answer = await answerOf(
      act("PATCH /presets/{id}", { params: { id }, body: { input, version: replaced } }),
    );
    refresh();
    toast(
      answer.ok
        ? { title: t("nameWasRestored", { name }) }
        : await failureToast(answer.error, t("couldNotBeRestored", { name })),
    );
  };

  return {
    busy,
    failure,
    clearFailure: () => show(null),
    hidden,
    async save(name: string, input: JsonObject) {
      const body = { name, model, api_type: apiType, input: savedInput(input) };
      const saved = await done(answerOf(act("POST /presets", { body })));
      if (!saved) return;
      onDone();
      const address = sharedAddress(window.location.origin, accountId, saved.id);
      toast({
        title: t("savedName", { name: saved.name }),
        action: { label: t("copyLink"), onClick: () => void copyText(address) },
      });
    },
    async replace({ id, version }: PresetSummary, input: JsonObject) {
      const before = await done(callRoute("GET /presets/{id}", { params: { id } }));
      if (!before) return;
      const now = await done(
        answerOf(act("PATCH /presets/{id}", { params: { id }, body: { input: savedInput(input), version } })),
      );
      if (!now) return;
      onDone();
      toast({
        title: t("replacedName", { name: before.name }),
        action: { label: t("undo"), onClick: () => void restore(before, now.version) },
      });
    },
    async rename({ id, version }: PresetSummary, name: string) {
      return (
        (await done(answerOf(act("PATCH /presets/{id}", { params: { id }, body: { name, version } })))) !==
        null
      );
    },
    deleteSoon({ id, name }: PresetSummary) {
      onDone();
      deleteSoon(id, `“${name}”`);
    },
  };
}

/** The part of a draft that a preset stores: no model, no confirmation, and no inline files. */
function savedInput(value: JsonObject): JsonObject {
  return withoutInlineFiles(draftFromInput(value).value) as JsonObject;
}

function withoutInlineFiles(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((item) => !isInlineFile(item)).map(withoutInlineFiles);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, entry]) =>
      isInlineFile(entry) ? [] : [[key, withoutInlineFiles(entry)]],
    ),
  );
}

function isInlineFile(value: unknown): boolean {
  return typeof value === "string" && /^data:[^,]*;base64,/i.test(value);
}

interface PresetRowProps {
  preset: PresetSummary;
  accountId: string;
  /** Whether the form has an input that could replace the preset's. */
  canReplace: boolean;
  onOpen: () => void;
  onReplace: () => void;
  onRename: () => void;
  onDelete: () => void;
}

/** A preset in the list. Its name loads it into the form. */
function PresetRow({ preset, accountId, canReplace, ...on }: PresetRowProps) {
  const t = useWords("presets");
  const { may } = useAccess();
  return (
    <div className="flex items-center gap-2">
      <div className="min-w-0 flex-1">
        <Link
          href={presetHref(preset)}
          onClick={on.onOpen}
          className="block truncate leading-6 font-medium text-accent hover:underline"
        >
          {preset.name}
        </Link>
        <p className="text-meta text-muted">
          <Link
            href={`/presets/${preset.id}`}
            onClick={on.onOpen}
            className="inline-block leading-6 hover:text-ink hover:underline"
          >
            {versionLabel(preset, t)} <Time value={preset.updated_at} />
          </Link>
        </p>
      </div>
      {preset.schema_version !== preset.current_schema_version && (
        <Badge tone="warn" title={t("theOperationsSchemaHasChanged")}>
          {t("changedSince")}
        </Badge>
      )}
      <CopyButton
        value={sharedAddress(window.location.origin, accountId, preset.id)}
        label={t("copyLinkToName", { name: preset.name })}
      />
      {may("presets:write") && (
        <Menu
          label={t("actionsForName", { name: preset.name })}
          trigger={
            <IconButton
              size="sm"
              label={t("actionsForName", { name: preset.name })}
              icon={<EllipsisVertical size={16} aria-hidden />}
            />
          }
          items={[
            { label: t("replaceWithThisInput"), onSelect: on.onReplace, disabled: !canReplace },
            { label: t("rename"), onSelect: on.onRename },
            { label: t("delete"), tone: "bad", onSelect: on.onDelete },
          ]}
        />
      )}
    </div>
  );
}

interface SaveFormProps {
  presets: readonly PresetSummary[];
  input: JsonObject | null;
  busy: boolean;
  onSave: (name: string) => void;
  onReplace: (preset: PresetSummary) => void;
}

/** Saves the form's input. An existing preset of the same name is replaced. */
function SaveForm({ presets, input, busy, onSave, onReplace }: SaveFormProps) {
  const t = useWords("presets");
  const [name, setName] = useState("");
  const wanted = name.trim().toLowerCase();
  const taken = presets.find((preset) => preset.name.toLowerCase() === wanted);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (taken) onReplace(taken);
        else onSave(name.trim());
        setName("");
      }}
    >
      {/* Not an InputField, because the button is beside its input. */}
      <Field
        label={t("saveThisInputAs")}
        rule={presetFields.name}
        error={input === null && t("fixTheJsonFirst")}
        hint={taken ? t("aPresetWithThisName") : t("uploadedFilesInThePreset")}
      >
        {(aria) => (
          <span className="flex gap-2">
            <Input
              {...aria}
              value={name}
              onChange={(event) => setName(event.target.value)}
              pattern={wholePattern(presetFields.name)}
              autoComplete="off"
              placeholder={t("name")}
            />
            <Permitted to="presets:write">
              <Button type="submit" variant="primary" busy={busy} disabled={input === null}>
                {taken ? t("replace") : t("save")}
              </Button>
            </Permitted>
          </span>
        )}
      </Field>
    </form>
  );
}
