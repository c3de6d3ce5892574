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
import { CheckList } from "@/components/keys/check-list";
import { ConfirmDialog } from "@/components/ui/dialog";
import { Chosen, TextField } from "@/components/ui/form/bound-fields";
import { RadioGroup } from "@/components/ui/form/radio-group";
import { ResourceDialog } from "@/components/ui/form/resource-dialog";
import { useSend } from "@/components/ui/form/use-send";
import { answerOf, settle } from "@/lib/browser/action-answer";
import type { ActionResult } from "@/lib/gateway/result";
import { causeLabel, templateLabels } from "@/lib/notices/cause-labels";

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

export function HookDialog({ hook, causes, save, onSaved, onClose }: HookDialogProps) {
  return (
    <ResourceDialog<Values>
      title={hook ? `Change ${hook.name}` : "Add incoming webhook"}
      defaults={{
        name: hook?.name ?? "",
        template: hook?.template ?? "slack",
        url: "",
        causes: (hook?.causes as Cause[] | undefined) ?? causes.filter((cause) => rulesOf(cause).email),
      }}
      submitLabel={hook ? "Save" : "Add"}
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
            label="Name"
            hint="For example, the name of the channel."
            missing="Enter a name."
          />
          <Chosen form={form} name="template">
            {(field) => (
              <RadioGroup
                {...field}
                legend="Format"
                appearance="segments"
                options={hookTemplates.map((value) => ({ value, label: templateLabels[value] }))}
              />
            )}
          </Chosen>
          <TextField
            form={form}
            name="url"
            rule={hookFields.url}
            optional={hook !== null}
            label="URL"
            hint={
              hook
                ? `Leave the field empty to keep ${hook.url_hint}. The URL is not shown again.`
                : "Anyone with this URL can post to the channel, so it is stored encrypted and not shown again."
            }
            missing="Enter the URL."
            type="password"
            spellCheck={false}
            placeholder="https://hooks.slack.com/services/…"
          />
          <Chosen form={form} name="causes" missing="Choose at least one cause.">
            {(field) => (
              <CheckList
                {...field}
                legend="Notified about"
                options={causes.map((value) => ({ value, label: causeLabel(value) }))}
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
  const { busy, failure, send } = useSend();
  const submit = async () => {
    const answer = await send(() => answerOf(remove()));
    if (answer.ok) onRemoved();
  };
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={`Delete ${hook.name}`}
      body={`No more notices are posted to ${hook.url_hint}. To undo this, you need the URL again.`}
      confirmLabel="Delete"
      tone="bad"
      busy={busy}
      failure={failure}
      onConfirm={submit}
    />
  );
}
