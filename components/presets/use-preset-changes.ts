"use client";

import { useQueryClient } from "@tanstack/react-query";
import type { ApiType } from "#contract/catalog.ts";
import type { Preset, PresetSummary } from "#contract/presets.ts";
import { useSend } from "@/components/ui/form/use-send";
import { failureToast } from "@/components/ui/page/failure-toast";
import { useToast } from "@/components/ui/toast";
import { useDeleteWithUndo } from "@/components/ui/use-delete-with-undo";
import { answerOf } from "@/lib/browser/action-answer";
import { copyText } from "@/lib/browser/copy-text";
import { callRoute } from "@/lib/browser/gateway";
import { act } from "@/lib/gateway/act";
import type { GatewayResult } from "@/lib/gateway/result";
import { sharedAddress } from "@/lib/presets/address";
import { draftFromInput } from "@/lib/schema-form/draft";
import { isObject, type JsonObject } from "@/lib/schema-form/json";

interface PresetChangesProps {
  model: string;
  apiType: ApiType;
  accountId: string;
  /** A message on the page reports the result, so the dialog closes. */
  onDone: () => void;
}

/** Actions for the presets of an operation; replacing and deleting can be undone. */
export function usePresetChanges({ model, apiType, accountId, onDone }: PresetChangesProps) {
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

  /** Null if refused; the dialog shows why. */
  const done = async <Data>(call: Promise<GatewayResult<Data>>): Promise<Data | null> => {
    const answer = await send(() => call);
    refresh();
    return answer.ok ? answer.data : null;
  };

  /** `replaced`: the version that replaced this one. Anything saved after that stays. */
  const restore = async ({ id, name, input }: Preset, replaced: number) => {
    const answer = await answerOf(
      act("PATCH /presets/{id}", { params: { id }, body: { input, version: replaced } }),
    );
    refresh();
    toast(
      answer.ok
        ? { title: `“${name}” was restored` }
        : await failureToast(answer.error, `“${name}” could not be restored`),
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
        title: `Saved “${saved.name}”`,
        action: { label: "Copy link", onClick: () => void copyText(address) },
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
        title: `Replaced “${before.name}”`,
        action: { label: "Undo", onClick: () => void restore(before, now.version) },
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
