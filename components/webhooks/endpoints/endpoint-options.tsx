import { useState } from "react";
import type { UseFormReturn } from "react-hook-form";
import { Field } from "@/components/ui/form/field";
import { Input } from "@/components/ui/form/input";
import { type EndpointValues, rateProblem } from "@/lib/webhooks/endpoint-values";
import { EventFilters } from "./event-filters.tsx";
import { HeadersField } from "./headers-field.tsx";

/** What few endpoints need: headers of their own, a rate, filters. */
export function EndpointOptions({ form }: { form: UseFormReturn<EndpointValues> }) {
  const { errors } = form.formState;
  const { headers, rate_per_second: rate, models, keys } = form.getValues();
  const isUsed = headers.length > 0 || rate !== "" || models.length > 0 || keys.length > 0;
  const isWrong = errors.headers || errors.rate_per_second || errors.models || errors.keys;
  const [isOpen, setOpen] = useState(isUsed);
  return (
    <details
      open={isOpen || Boolean(isWrong)}
      onToggle={(event) => setOpen(event.currentTarget.open)}
      className="rounded-control border px-3 py-2"
    >
      <summary className="rounded-control text-table font-medium">Headers, rate, filters</summary>
      <div className="mt-3 space-y-4">
        <HeadersField
          control={form.control}
          register={form.register}
          error={errors.headers?.message ?? errors.headers?.root?.message}
        />
        <Field
          label="Requests per second"
          hint="At most so many are sent; the others wait in the queue. Empty: no limit."
          error={errors.rate_per_second?.message}
          className="max-w-72"
        >
          {(aria) => (
            <Input
              {...aria}
              {...form.register("rate_per_second", { validate: (text) => rateProblem(text) ?? true })}
              inputMode="numeric"
              placeholder="no limit"
            />
          )}
        </Field>
        {isOpen && <EventFilters control={form.control} />}
      </div>
    </details>
  );
}
