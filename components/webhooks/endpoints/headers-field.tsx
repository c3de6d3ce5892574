import { Plus, X } from "lucide-react";
import { type Control, type UseFormRegister, useFieldArray } from "react-hook-form";
import { ownHeaderLimits } from "#contract/webhook-constants.ts";
import { Button, IconButton } from "@/components/ui/button";
import { Input } from "@/components/ui/form/input";
import type { EndpointValues } from "@/lib/webhooks/endpoint-values";

interface HeadersFieldProps {
  control: Control<EndpointValues>;
  register: UseFormRegister<EndpointValues>;
  error?: string | undefined;
}

/** Headers that the receiver wants, such as a token. A value that was saved is never shown. */
export function HeadersField({ control, register, error }: HeadersFieldProps) {
  // Without a rule the list is not checked again, and the gateway's word on it would stop every further try.
  const rules = { maxLength: ownHeaderLimits.count };
  const { fields, append, remove } = useFieldArray({ control, name: "headers", rules });
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1 text-table font-medium text-ink">Headers</legend>
      <div className="space-y-2">
        {fields.map((field, at) => (
          <div
            key={field.id}
            className="grid grid-cols-[minmax(0,2fr)_minmax(0,3fr)_auto] items-center gap-2"
          >
            <Input
              {...register(`headers.${at}.name`)}
              aria-label={`Name of header ${at + 1}`}
              maxLength={ownHeaderLimits.nameLength}
              placeholder="authorization"
              className="font-mono"
              autoComplete="off"
              spellCheck={false}
            />
            <Input
              {...register(`headers.${at}.value`)}
              aria-label={`Value of header ${at + 1}`}
              maxLength={ownHeaderLimits.valueLength}
              placeholder={field.isKept ? "unchanged" : "value"}
              className="font-mono"
              autoComplete="off"
              spellCheck={false}
            />
            <IconButton
              size="sm"
              label={`Remove header ${at + 1}`}
              icon={<X size={14} aria-hidden />}
              onClick={() => remove(at)}
            />
          </div>
        ))}
        <Button
          size="sm"
          icon={<Plus size={14} aria-hidden />}
          disabled={fields.length >= ownHeaderLimits.count}
          onClick={() => append({ name: "", value: "", isKept: false })}
        >
          Add header
        </Button>
      </div>
      <p className="mt-1 text-meta text-muted">
        Sent with every delivery. Values are stored encrypted and never shown again.
      </p>
      {error && <p className="text-meta font-medium text-bad">{error}</p>}
    </fieldset>
  );
}
