"use client";

import type { Deleted } from "#contract/list.ts";
import {
  type Cause,
  type HookTemplate,
  hookFields,
  hookTemplates,
  rulesOf,
} from "#contract/notice-constants.ts";
import type { NoticeHook, NoticeHookUpdate } from "#contract/notices.ts";
import { useWords } from "#words";
import { CheckList } from "@/components/keys/check-list";
import { ConfirmDialog } from "@/components/ui/dialog";
import { Chosen, TextField } from "@/components/ui/form/bound-fields";
import { RadioGroup } from "@/components/ui/form/radio-group";
import { ResourceDialog } from "@/components/ui/form/resource-dialog";
import { useSend } from "@/components/ui/form/use-send";
import { answerOf, settle } from "@/lib/browser/action-answer";
import type { ActionResult } from "@/lib/gateway/result";
import { causeLabel, templateLabel } from "@/lib/notices/cause-labels";

interface HookDialogProps {
  /** Null: a new incoming webhook. */
  hook: NoticeHook | null;
  causes: readonly Cause[];
  save: (values: NoticeHookUpdate) => ActionResult<NoticeHook>;
  onSaved: () => void;
  onClose: () => void;
}

interface Values {
  name: string;
  template: HookTemplate;
  url: string;
  causes: Cause[];
}

const exampleUrl = "https://hooks.slack.com/services/…";

export function HookDialog({ hook, causes, save, onSaved, onClose }: HookDialogProps) {
  const t = useWords("noticePages");
  return (
    <ResourceDialog<Values>
      title={hook ? t("changeHook", { name: hook.name }) : t("addHook")}
      defaults={{
        name: hook?.name ?? "",
        template: hook?.template ?? "slack",
        url: "",
        causes: (hook?.causes as Cause[] | undefined) ?? causes.filter((cause) => rulesOf(cause).email),
      }}
      submitLabel={hook ? t("save") : t("add")}
      save={({ url, ...values }) =>
        settle(save({ ...values, name: values.name.trim(), ...(url.trim() && { url: url.trim() }) }), onSaved)
      }
      onClose={onClose}
    >
      {(form) => (
        <>
          <TextField
            form={form}
            name="name"
            rule={hookFields.name}
            label={t("name")}
            hint={t("nameHint")}
            missing={t("enterName")}
          />
          <Chosen form={form} name="template">
            {(field) => (
              <RadioGroup
                {...field}
                legend={t("format")}
                appearance="segments"
                options={hookTemplates.map((value) => ({ value, label: templateLabel(t, value) }))}
              />
            )}
          </Chosen>
          <TextField
            form={form}
            name="url"
            rule={hookFields.url}
            optional={hook !== null}
            label={t("url")}
            hint={hook ? t("urlKept", { url: hook.url_hint }) : t("urlHint")}
            missing={t("enterUrl")}
            type="password"
            spellCheck={false}
            placeholder={exampleUrl}
          />
          <Chosen form={form} name="causes" missing={t("chooseCause")}>
            {(field) => (
              <CheckList
                {...field}
                legend={t("notifiedAbout")}
                options={causes.map((value) => ({ value, label: causeLabel(t, value) }))}
              />
            )}
          </Chosen>
        </>
      )}
    </ResourceDialog>
  );
}

interface RemoveHookDialogProps {
  hook: NoticeHook;
  remove: () => ActionResult<Deleted>;
  onRemoved: () => void;
  onClose: () => void;
}

/** A deleted webhook cannot be restored, because its URL cannot be shown again. */
export function RemoveHookDialog({ hook, remove, onRemoved, onClose }: RemoveHookDialogProps) {
  const t = useWords("noticePages");
  const { busy, failure, send } = useSend();
  const submit = async () => {
    const answer = await send(() => answerOf(remove()));
    if (answer.ok) onRemoved();
  };
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={t("deleteHook", { name: hook.name })}
      body={t("deleteMeans", { url: hook.url_hint })}
      confirmLabel={t("delete")}
      tone="bad"
      busy={busy}
      failure={failure}
      onConfirm={submit}
    />
  );
}
