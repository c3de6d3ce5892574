"use client";

import { Controller, useForm } from "react-hook-form";
import {
  type Cause,
  type HookTemplate,
  hookLimits,
  hookTemplates,
  rulesOf,
} from "#contract/notice-constants.ts";
import type { NoticeHook, NoticeHookUpdate } from "#contract/notices.ts";
import { CheckList } from "@/components/keys/check-list";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/form/field";
import { FormActions } from "@/components/ui/form/form-actions";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { Input } from "@/components/ui/form/input";
import { RadioGroup } from "@/components/ui/form/radio-group";
import { useSend } from "@/components/ui/form/use-send";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { answerOf } from "@/lib/browser/action-answer";
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

const fields = ["name", "template", "url", "causes"] as const;

export function HookDialog({ hook, causes, save, onSaved, onClose }: HookDialogProps) {
  const form = useForm<Values>({
    defaultValues: {
      name: hook?.name ?? "",
      template: hook?.template ?? "slack",
      url: "",
      causes: (hook?.causes as Cause[] | undefined) ?? causes.filter((cause) => rulesOf(cause).email),
    },
  });
  const { errors, isSubmitting } = form.formState;
  const { failure, send } = useSend({ names: fields, setError: form.setError });
  const submit = form.handleSubmit(async ({ url, ...values }) => {
    const body = { ...values, name: values.name.trim(), ...(url.trim() && { url: url.trim() }) };
    const answer = await send(() => answerOf(save(body)));
    if (answer.ok) onSaved();
  });

  return (
    <FormDialog
      open
      busy={isSubmitting}
      onClose={onClose}
      title={hook ? `Change ${hook.name}` : "Add incoming webhook"}
    >
      <form onSubmit={submit} noValidate autoComplete="off" className="space-y-4">
        <Field label="Name" required hint="Such as the channel." error={errors.name?.message}>
          {(aria) => (
            <Input
              {...aria}
              {...form.register("name", { validate: (name) => name.trim() !== "" || "Enter a name." })}
              maxLength={hookLimits.nameLength}
            />
          )}
        </Field>
        <Controller
          control={form.control}
          name="template"
          render={({ field }) => (
            <RadioGroup
              legend="Written for"
              appearance="segments"
              value={field.value}
              onChange={field.onChange}
              options={hookTemplates.map((value) => ({ value, label: templateLabels[value] }))}
            />
          )}
        />
        <Field
          label="URL"
          required={!hook}
          hint={
            hook
              ? `Leave it empty to keep ${hook.url_hint}. It is not shown again.`
              : "Anyone who has the address can post there, so it is stored encrypted and not shown again."
          }
          error={errors.url?.message}
        >
          {(aria) => (
            <Input
              {...aria}
              {...form.register("url", {
                validate: (url) => hook !== null || url.trim() !== "" || "Enter the URL.",
              })}
              type="password"
              autoComplete="off"
              spellCheck={false}
              maxLength={hookLimits.urlLength}
              placeholder="https://hooks.slack.com/services/…"
            />
          )}
        </Field>
        <Controller
          control={form.control}
          name="causes"
          rules={{ validate: (chosen) => chosen.length > 0 || "Choose at least one." }}
          render={({ field }) => (
            <CheckList
              legend="Notified about"
              options={causes.map((value) => ({ value, label: causeLabel(value) }))}
              value={field.value}
              onChange={field.onChange}
              error={errors.causes?.message}
            />
          )}
        />
        {failure && <ErrorPanel error={failure} />}
        <FormActions>
          <Button onClick={onClose} disabled={isSubmitting}>
            Cancel
          </Button>
          <Button type="submit" variant="primary" busy={isSubmitting}>
            {hook ? "Save" : "Add"}
          </Button>
        </FormActions>
      </form>
    </FormDialog>
  );
}
