"use client";

import { useForm } from "react-hook-form";
import type { ApiKey } from "#contract/accounts/keys.ts";
import { Button } from "@/components/ui/button";
import { FormActions } from "@/components/ui/form/form-actions";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { useSend } from "@/components/ui/form/use-send";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { answerOf } from "@/lib/browser/action-answer";
import type { ActionResult } from "@/lib/gateway/result";
import { originsOf, originsProblem } from "./key-values.ts";
import { OriginsField } from "./origins-field.tsx";

interface OriginsDialogProps {
  apiKey: ApiKey;
  save: (origins: string[] | null) => ActionResult<unknown>;
  onSaved: () => void;
  onClose: () => void;
}

const fields = ["allowed_origins"] as const;

/** Sets the origins of pages that may use a key; without any, browsers may not use it. */
export function OriginsDialog({ apiKey, save, onSaved, onClose }: OriginsDialogProps) {
  const form = useForm({ defaultValues: { allowed_origins: (apiKey.allowed_origins ?? []).join("\n") } });
  const { errors, isSubmitting } = form.formState;
  const { failure, send: ask } = useSend({ names: fields, setError: form.setError });

  const send = form.handleSubmit(async ({ allowed_origins: text }) => {
    const answer = await ask(() => answerOf(save(originsOf(text))));
    if (answer.ok) onSaved();
  });

  return (
    <FormDialog
      open
      busy={isSubmitting}
      onClose={onClose}
      title={`Origins of “${apiKey.name}”`}
      description="Without an origin no web page can use this key; programs still can. Changes apply within a second."
    >
      <form onSubmit={send} noValidate className="space-y-4">
        <OriginsField
          input={form.register("allowed_origins", { validate: (text) => originsProblem(text) ?? true })}
          error={errors.allowed_origins?.message}
        />
        {failure && <ErrorPanel error={failure} />}
        <FormActions>
          <Button onClick={onClose} disabled={isSubmitting}>
            Cancel
          </Button>
          <Button type="submit" variant="primary" busy={isSubmitting}>
            Save origins
          </Button>
        </FormActions>
      </form>
    </FormDialog>
  );
}
