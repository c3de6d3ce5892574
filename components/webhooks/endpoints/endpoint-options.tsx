import type { UseFormReturn } from "react-hook-form";
import { Field } from "@/components/ui/form/field";
import { Input, Textarea } from "@/components/ui/form/input";
import { type EndpointValues, rateProblem } from "@/lib/webhooks/endpoint-values";
import { HeadersField } from "./headers-field.tsx";

/** What few endpoints need: headers of their own, a rate, filters. */
export function EndpointOptions({ form }: { form: UseFormReturn<EndpointValues> }) {
  const { errors } = form.formState;
  const { headers, rate_per_second: rate, models, keys } = form.getValues();
  const isUsed = headers.length > 0 || rate !== "" || models !== "" || keys !== "";
  const isWrong = errors.headers || errors.rate_per_second || errors.models || errors.keys;
  return (
    <details open={isUsed || Boolean(isWrong) || undefined} className="rounded-control border px-3 py-2">
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
        <Field
          label="Only these models"
          hint="Ids of models, one a line. Empty: events of all models."
          error={errors.models?.message}
        >
          {(aria) => (
            <Textarea
              {...aria}
              {...form.register("models")}
              rows={2}
              className="font-mono"
              spellCheck={false}
            />
          )}
        </Field>
        <Field
          label="Only these keys"
          hint="Ids of keys, one a line: only what they ran. Empty: what everybody ran."
          error={errors.keys?.message}
        >
          {(aria) => (
            <Textarea
              {...aria}
              {...form.register("keys")}
              rows={2}
              className="font-mono"
              spellCheck={false}
            />
          )}
        </Field>
      </div>
    </details>
  );
}
