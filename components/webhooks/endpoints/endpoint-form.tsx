"use client";

import { Controller, useForm } from "react-hook-form";
import { countCharacters } from "#contract/characters.ts";
import { endpointUrlMaxLength } from "#contract/webhook-constants.ts";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/form/field";
import { FormActions } from "@/components/ui/form/form-actions";
import { Input } from "@/components/ui/form/input";
import { useSend } from "@/components/ui/form/use-send";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { formatNumber } from "@/lib/format";
import type { GatewayFailure } from "@/lib/gateway/result";
import { type EndpointValues, emptyEndpoint } from "@/lib/webhooks/endpoint-values";
import { EndpointOptions } from "./endpoint-options.tsx";
import { EventChoice } from "./event-choice.tsx";

interface EndpointFormProps {
  initial?: EndpointValues;
  submitLabel: string;
  /** Resolves to the failure to show, or null when it is done. */
  submit: (values: EndpointValues) => Promise<GatewayFailure | null>;
  onCancel: () => void;
}

const fields = ["url", "description", "events", "headers", "rate_per_second", "models", "keys"] as const;
const descriptionMaxLength = 500;

export function EndpointForm({ initial, submitLabel, submit, onCancel }: EndpointFormProps) {
  const form = useForm<EndpointValues>({
    defaultValues: initial ?? emptyEndpoint,
  });
  const { errors, isSubmitting } = form.formState;
  const { failure, attempt } = useSend({ names: fields, setError: form.setError });

  const send = form.handleSubmit(async (values) => {
    await attempt(async () => {
      const error = await submit(values);
      return error?.code === "invalid_webhook_url" ? { ...error, param: "url" } : error;
    });
  });

  return (
    <form onSubmit={send} noValidate className="space-y-4">
      <Field
        label="URL"
        required
        hint="A public HTTPS URL. Private addresses, redirects and other ports are not allowed."
        error={errors.url?.message}
      >
        {(aria) => (
          <Input
            {...aria}
            {...form.register("url", {
              required: "Enter the URL of your receiver, starting with https://",
              validate: (url) => tooLong(url.trim()),
            })}
            type="url"
            inputMode="url"
            autoComplete="off"
            spellCheck={false}
            placeholder="https://example.com/hooks/gatehouse"
          />
        )}
      </Field>
      <Field label="Description" error={errors.description?.message}>
        {(aria) => (
          <Input
            {...aria}
            {...form.register("description")}
            maxLength={descriptionMaxLength}
            autoComplete="off"
          />
        )}
      </Field>
      <Controller
        control={form.control}
        name="events"
        rules={{ validate: (events) => events.length > 0 || "Choose at least one event." }}
        render={({ field }) => (
          <EventChoice value={field.value} onChange={field.onChange} error={errors.events?.message} />
        )}
      />
      <EndpointOptions form={form} />
      {failure && <ErrorPanel error={failure} />}
      <FormActions>
        <Button onClick={onCancel} disabled={isSubmitting}>
          Cancel
        </Button>
        <Button type="submit" variant="primary" busy={isSubmitting}>
          {submitLabel}
        </Button>
      </FormActions>
    </form>
  );
}

/** Said here, because an input with a maximum cuts what is pasted without a word. */
function tooLong(url: string): string | true {
  const characters = countCharacters(url);
  if (characters <= endpointUrlMaxLength) return true;
  return `Use at most ${formatNumber(endpointUrlMaxLength)} characters; this URL has ${formatNumber(characters)}.`;
}
