"use client";

import type { ApiKey } from "#contract/accounts/keys.ts";
import { ResourceDialog } from "@/components/ui/form/resource-dialog";
import { settle } from "@/lib/browser/action-answer";
import type { ActionResult } from "@/lib/gateway/result";
import { originsOf, originsProblem } from "./key-values.ts";
import { OriginsField } from "./origins-field.tsx";

interface OriginsDialogProps {
  apiKey: ApiKey;
  save: (origins: string[] | null) => ActionResult<unknown>;
  onSaved: () => void;
  onClose: () => void;
}

/** Sets the origins of pages that may use a key; without any, browsers may not use it. */
export function OriginsDialog({ apiKey, save, onSaved, onClose }: OriginsDialogProps) {
  return (
    <ResourceDialog
      title={`Origins of “${apiKey.name}”`}
      description="Without an origin no web page can use this key; programs still can. Changes apply within a second."
      defaults={{ allowed_origins: (apiKey.allowed_origins ?? []).join("\n") }}
      submitLabel="Save origins"
      save={({ allowed_origins: text }) => settle(save(originsOf(text)), onSaved)}
      onClose={onClose}
    >
      {({ register, formState: { errors } }) => (
        <OriginsField
          input={register("allowed_origins", { validate: (text) => originsProblem(text) ?? true })}
          error={errors.allowed_origins?.message}
        />
      )}
    </ResourceDialog>
  );
}
