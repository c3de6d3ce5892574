"use client";

import {
  type Cause,
  type HookTemplate,
  hookFields,
  hookTemplates,
  rulesOf,
} from "#contract/notice-constants.ts";
import type { NoticeHook, NoticeHookUpdate } from "#contract/notices.ts";
import { CheckList } from "@/components/keys/check-list";
import { RadioGroup } from "@/components/ui/form/radio-group";
import { Chosen, ResourceDialog, TextField } from "@/components/ui/form/resource-dialog";
import { settle } from "@/lib/browser/action-answer";
import type { ActionResult } from "@/lib/gateway/result";
import { causeLabel } from "@/lib/notices/cause-labels";
import { templateLabels } from "@/lib/notices/template-labels";

interface HookDialogProps {
  /** Null: a new hook. */
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
            hint="Such as the channel."
            missing="Enter a name."
          />
          <Chosen form={form} name="template">
            {(field) => (
              <RadioGroup
                {...field}
                legend="Written for"
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
                ? `Leave it empty to keep ${hook.url_hint}. It is not shown again.`
                : "Anyone who has the address can post there, so it is stored encrypted and not shown again."
            }
            missing="Enter the URL."
            type="password"
            spellCheck={false}
            placeholder="https://hooks.slack.com/services/…"
          />
          <Chosen form={form} name="causes" missing="Choose at least one.">
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
