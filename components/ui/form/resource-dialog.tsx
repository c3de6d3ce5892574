"use client";

import type { ComponentProps, ReactNode } from "react";
import {
  type DefaultValues,
  type FieldErrors,
  type FieldPath,
  type FieldValues,
  FormProvider,
  type UseFormReturn,
  useForm,
} from "react-hook-form";
import { useWords } from "#words";
import type { GatewayFailure } from "@/lib/gateway/result";
import { Button } from "../button.tsx";
import { ErrorPanel } from "../page/error-panel.tsx";
import { FormActions, FormDialog } from "./form-dialog.tsx";
import { useSend } from "./use-send.ts";

interface ResourceDialogProps<Values extends FieldValues>
  extends Pick<ComponentProps<typeof FormDialog>, "title" | "description"> {
  defaults: DefaultValues<Values>;
  /** The fields that can show an error of the gateway. By default the properties of `defaults`. */
  names?: readonly FieldPath<Values>[];
  submitLabel: string;
  tone?: "primary" | "danger";
  /** Resolves to the failure to show, or to null after saving. `settle` converts a server action to this. */
  save: (values: Values) => Promise<GatewayFailure | null>;
  /** Called instead of `save` if a field is wrong. */
  onWrong?: (errors: FieldErrors<Values>) => void;
  onClose: () => void;
  /** Further buttons, before the one that saves. `show` puts a failure at its field or above the buttons. */
  buttons?: (form: UseFormReturn<Values>, show: (failure: GatewayFailure | null) => void) => ReactNode;
  children: (form: UseFormReturn<Values>) => ReactNode;
}

/**
 * A dialog that creates or changes a resource: its fields, the failure, Cancel and Save. Fields are named as in
 * the request, so that an error of the gateway is shown at the field that it names.
 */
export function ResourceDialog<Values extends FieldValues>(props: ResourceDialogProps<Values>) {
  const t = useWords("ui");
  const {
    title,
    description,
    defaults,
    submitLabel,
    tone = "primary",
    save,
    onWrong,
    onClose,
    buttons,
    children,
  } = props;
  const form = useForm<Values>({ defaultValues: defaults });
  const { isSubmitting } = form.formState;
  const names = props.names ?? (Object.keys(defaults) as FieldPath<Values>[]);
  const { failure, attempt, show } = useSend({ names, setError: form.setError });
  const submit = form.handleSubmit(async (values) => {
    await attempt(() => save(values));
  }, onWrong);
  return (
    <FormDialog open busy={isSubmitting} onClose={onClose} title={title} description={description}>
      <form onSubmit={submit} noValidate autoComplete="off" className="space-y-4">
        <FormProvider {...form}>{children(form)}</FormProvider>
        {failure && <ErrorPanel error={failure} />}
        <FormActions>
          <Button onClick={onClose} disabled={isSubmitting}>
            {t("cancel")}
          </Button>
          {buttons?.(form, show)}
          <Button type="submit" variant={tone} busy={isSubmitting}>
            {submitLabel}
          </Button>
        </FormActions>
      </form>
    </FormDialog>
  );
}
