"use client";

import type { Alias, AliasCreate } from "#contract/aliases.ts";
import { aliasFields, aliasLimits, goOnReasons } from "#contract/catalog-constants.ts";
import { CheckList } from "@/components/keys/check-list";
import { useAccess } from "@/components/team/access";
import { Checkbox } from "@/components/ui/form/checkbox";
import { Chosen, ResourceDialog, TextField } from "@/components/ui/form/resource-dialog";
import type { GatewayFailure } from "@/lib/gateway/result";
import { reasonLabels } from "@/lib/go-on-when";
import { aliasSentence } from "./alias-sentence.ts";
import { type ModelChoice, ModelOrder } from "./model-order.tsx";

interface AliasDialogProps {
  /** Null: the dialog creates a new alias. */
  alias: Alias | null;
  models: readonly ModelChoice[];
  save: (values: AliasCreate) => Promise<GatewayFailure | null>;
  onClose: () => void;
}

export function AliasDialog({ alias, models, save, onClose }: AliasDialogProps) {
  const { operator } = useAccess();
  return (
    <ResourceDialog<Required<AliasCreate>>
      title={alias ? `Change ${alias.name}` : "Add alias"}
      defaults={{
        name: alias?.name ?? "",
        models: alias?.models ?? [],
        go_on_when: alias?.go_on_when ?? [...goOnReasons],
        continue_streams: alias?.continue_streams ?? false,
        for_everyone: alias?.for_everyone ?? false,
      }}
      submitLabel={alias ? "Save" : "Add alias"}
      save={({ for_everyone: forEveryone, ...values }) =>
        save({ ...values, name: values.name.trim(), ...(forEveryone && { for_everyone: true }) })
      }
      onClose={onClose}
    >
      {(form) => {
        const values = form.watch();
        return (
          <>
            <TextField
              form={form}
              name="name"
              rule={aliasFields.name}
              label="Name"
              hint="The name that programs send as the model: “gpt-5”, “claude-sonnet-5”, “fast”."
              missing="Enter a name."
              spellCheck={false}
            />
            <Chosen form={form} name="models" missing="Choose at least one model.">
              {(field) => <ModelOrder {...field} models={models} max={aliasLimits.models} />}
            </Chosen>
            {values.models.length > 1 && (
              <Chosen form={form} name="go_on_when">
                {(field) => (
                  <CheckList
                    {...field}
                    legend="Try the next model when"
                    options={goOnReasons.map((value) => ({ value, label: reasonLabels[value] }))}
                  />
                )}
              </Chosen>
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
                hint="Only operators see this. An account’s own alias of the same name takes precedence."
              />
            )}
            {values.models.length > 0 && (
              <p className="rounded-control bg-sunken px-3 py-2 text-table wrap-anywhere" aria-live="polite">
                {aliasSentence(values)}
              </p>
            )}
          </>
        );
      }}
    </ResourceDialog>
  );
}
