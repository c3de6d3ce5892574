"use client";

import { Controller, useForm } from "react-hook-form";
import { type Alias, type AliasCreate, aliasLimits, goOnReasons } from "#contract/aliases.ts";
import { CheckList } from "@/components/keys/check-list";
import { useAccess } from "@/components/team/access";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/form/checkbox";
import { Field } from "@/components/ui/form/field";
import { FormActions } from "@/components/ui/form/form-actions";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { Input } from "@/components/ui/form/input";
import { useSend } from "@/components/ui/form/use-send";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import type { GatewayFailure } from "@/lib/gateway/result";
import { reasonLabels } from "@/lib/go-on-when";
import { aliasSentence } from "./alias-sentence.ts";
import { type ModelChoice, ModelOrder } from "./model-order.tsx";

interface AliasDialogProps {
  /** Null: create a new alias. */
  alias: Alias | null;
  models: readonly ModelChoice[];
  save: (values: AliasCreate) => Promise<GatewayFailure | null>;
  onClose: () => void;
}

type Values = Required<AliasCreate>;

const fields = ["name", "models", "go_on_when"] as const;

export function AliasDialog({ alias, models, save, onClose }: AliasDialogProps) {
  const { operator } = useAccess();
  const form = useForm<Values>({
    defaultValues: {
      name: alias?.name ?? "",
      models: alias?.models ?? [],
      go_on_when: alias?.go_on_when ?? [...goOnReasons],
      continue_streams: alias?.continue_streams ?? false,
      for_everyone: alias?.for_everyone ?? false,
    },
  });
  const { errors, isSubmitting } = form.formState;
  const { failure, attempt } = useSend({ names: fields, setError: form.setError });
  const send = form.handleSubmit(async ({ for_everyone: forEveryone, ...values }) => {
    const body = { ...values, name: values.name.trim(), ...(forEveryone && { for_everyone: true }) };
    await attempt(() => save(body));
  });
  const values = form.watch();

  return (
    <FormDialog
      open
      busy={isSubmitting}
      onClose={onClose}
      title={alias ? `Change ${alias.name}` : "Add alias"}
    >
      <form onSubmit={send} noValidate autoComplete="off" className="space-y-4">
        <Field
          label="Name"
          required
          hint="What programs send as the model: “gpt-5”, “claude-sonnet-5”, “fast”."
          error={errors.name?.message}
        >
          {(aria) => (
            <Input
              {...aria}
              {...form.register("name", { validate: (name) => name.trim() !== "" || "Enter a name." })}
              maxLength={aliasLimits.nameLength}
              spellCheck={false}
            />
          )}
        </Field>
        <Controller
          control={form.control}
          name="models"
          rules={{ validate: (chosen) => chosen.length > 0 || "Choose at least one model." }}
          render={({ field }) => (
            <ModelOrder
              models={models}
              value={field.value}
              max={aliasLimits.models}
              onChange={field.onChange}
              error={errors.models?.message}
            />
          )}
        />
        {values.models.length > 1 && (
          <Controller
            control={form.control}
            name="go_on_when"
            render={({ field }) => (
              <CheckList
                legend="Try the next model when"
                options={goOnReasons.map((value) => ({ value, label: reasonLabels[value] }))}
                value={field.value}
                onChange={field.onChange}
                error={errors.go_on_when?.message}
              />
            )}
          />
        )}
        {values.models.length > 1 && (
          <Checkbox
            {...form.register("continue_streams")}
            label="Continue answers that break off"
            hint="If a streamed answer breaks or stalls after its first words, the next model that can continue an answer writes the rest. You pay for both parts, and the answer names both models."
          />
        )}
        {operator && !alias && (
          <Checkbox
            {...form.register("for_everyone")}
            label="For all accounts of this gateway"
            hint="Only operators see this. An account’s own alias of the same name comes first."
          />
        )}
        {values.models.length > 0 && (
          <p className="rounded-control bg-sunken px-3 py-2 text-table wrap-anywhere" aria-live="polite">
            {aliasSentence(values)}
          </p>
        )}
        {failure && <ErrorPanel error={failure} />}
        <FormActions>
          <Button onClick={onClose} disabled={isSubmitting}>
            Cancel
          </Button>
          <Button type="submit" variant="primary" busy={isSubmitting}>
            {alias ? "Save" : "Add alias"}
          </Button>
        </FormActions>
      </form>
    </FormDialog>
  );
}
