"use client";

import { Plus, X } from "lucide-react";
import { Button, IconButton } from "@/components/ui/button";
import { Input } from "@/components/ui/form/input";
import { fieldComponent } from "../field-component";
import { FieldFrame } from "../field-frame";

/** A list of short texts. */
export const StringsField = fieldComponent<"strings", string[]>(
  ({ field, value = [], onChange, ...rest }) => {
    const change = (next: string[]) => onChange(next.length > 0 ? next : undefined);
    return (
      <FieldFrame field={field} {...rest} group>
        {({ id }) => (
          <>
            {value.map((text, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the texts may be equal and have no identity.
              <div key={index} className="flex gap-1.5">
                <Input
                  id={`${id}-${index}`}
                  aria-label={`${field.title} ${index + 1}`}
                  value={text}
                  onChange={(event) =>
                    change(value.map((each, at) => (at === index ? event.target.value : each)))
                  }
                />
                <IconButton
                  label={`Remove ${field.title.toLowerCase()} ${index + 1}`}
                  icon={<X size={16} aria-hidden />}
                  onClick={() => change(value.filter((_, at) => at !== index))}
                />
              </div>
            ))}
            {(field.max === null || value.length < field.max) && (
              <Button
                size="sm"
                className="self-start"
                icon={<Plus size={14} aria-hidden />}
                onClick={() => change([...value, ""])}
              >
                Add
              </Button>
            )}
          </>
        )}
      </FieldFrame>
    );
  },
);
