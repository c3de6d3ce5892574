"use client";

import { ArrowDown, ArrowUp, X } from "lucide-react";
import { aliasFields, aliasLimits, type GoOnReason, goOnReasons } from "#contract/alias-constants.ts";
import type { Alias, AliasCreate } from "#contract/aliases.ts";
import { useWords } from "#words";
import { CheckList } from "@/components/keys/check-list";
import { useAccess } from "@/components/team/access";
import { IconButton } from "@/components/ui/button";
import { Chosen, TextField } from "@/components/ui/form/bound-fields";
import { Checkbox } from "@/components/ui/form/checkbox";
import { Select } from "@/components/ui/form/input";
import { ResourceDialog } from "@/components/ui/form/resource-dialog";
import type { GatewayFailure } from "@/lib/gateway/result";
import { aliasSentence } from "./alias-sentence.ts";

/** Labels of checkboxes; "it" is the model. */
const reasonLabels = {
  busy: "itIsBusy",
  down: "itIsDown",
  too_long: "itIsTooSmall",
  budget: "itIsOverBudget",
  failed: "itFails",
  slow: "itIsSilent",
} as const satisfies Record<GoOnReason, string>;

export interface ModelChoice {
  id: string;
  apiTypes: readonly string[];
}

interface AliasDialogProps {
  /** Null: the dialog creates a new alias. */
  alias: Alias | null;
  /** Fills in the name of a new alias. */
  newName: string;
  models: readonly ModelChoice[];
  save: (values: AliasCreate) => Promise<GatewayFailure | null>;
  onClose: () => void;
}

function isName(name: string): boolean {
  return new RegExp(aliasFields.name.pattern).test(name.trim());
}

export function AliasDialog({ alias, newName, models, save, onClose }: AliasDialogProps) {
  const t = useWords("aliases");
  const { operator } = useAccess();
  return (
    <ResourceDialog<Required<AliasCreate>>
      title={alias ? t("changeName", { name: alias.name }) : t("addAlias")}
      defaults={{
        name: alias?.name ?? newName,
        models: alias?.models ?? [],
        go_on_when: alias?.go_on_when ?? [...goOnReasons],
        continue_streams: alias?.continue_streams ?? false,
        for_everyone: alias?.for_everyone ?? false,
      }}
      submitLabel={alias ? t("save") : t("addAlias")}
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
              label={t("name")}
              hint={t("theNameThatProgramsSend")}
              missing={t("enterAName")}
              check={(name) => isName(name) || t("nameHasOther")}
              spellCheck={false}
            />
            <Chosen form={form} name="models" missing={t("chooseAtLeastOneModel")}>
              {(field) => <ModelOrder {...field} models={models} max={aliasLimits.models} />}
            </Chosen>
            {values.models.length > 1 && (
              <Chosen form={form} name="go_on_when">
                {(field) => (
                  <CheckList
                    {...field}
                    legend={t("tryTheNextModelWhen")}
                    options={goOnReasons.map((value) => ({ value, label: t(reasonLabels[value]) }))}
                  />
                )}
              </Chosen>
            )}
            {values.models.length > 1 && (
              <Checkbox
                {...form.register("continue_streams")}
                label={t("continueAnswersThatBreakOff")}
                hint={t("ifAStreamedAnswerBreaks")}
              />
            )}
            {operator && !alias && (
              <Checkbox
                {...form.register("for_everyone")}
                label={t("forAllAccountsOfThis")}
                hint={t("onlyOperatorsSeeThisAn")}
              />
            )}
            {values.models.length > 0 && (
              <p className="rounded-control bg-sunken px-3 py-2 text-table wrap-anywhere" aria-live="polite">
                {aliasSentence(t, values)}
              </p>
            )}
          </>
        );
      }}
    </ResourceDialog>
  );
}

interface ModelOrderProps {
  models: readonly ModelChoice[];
  value: readonly string[];
  max: number;
  onChange: (value: string[]) => void;
  error?: string | undefined;
}

/**
 * Models in the order in which they are tried. Only models that share an operation with the first can be
 * added.
 */
function ModelOrder({ models, value, max, onChange, error }: ModelOrderProps) {
  const t = useWords("aliases");
  const kinds = models.find(({ id }) => id === value[0])?.apiTypes;
  const fitting = models.filter(
    ({ id, apiTypes }) => !value.includes(id) && (kinds?.some((kind) => apiTypes.includes(kind)) ?? true),
  );
  const move = (at: number, to: number) =>
    onChange(value.toSpliced(at, 1).toSpliced(to, 0, String(value[at])));
  return (
    <fieldset className="min-w-0 space-y-2">
      <legend className="mb-1 text-table font-medium text-ink">{t("modelsInTheOrderIn")}</legend>
      {value.length > 0 && (
        <ol className="divide-y rounded-control border">
          {value.map((id, at) => (
            <li key={id} className="flex items-center gap-2 px-3 py-1">
              <span className="tabular-nums text-muted">{at + 1}.</span>
              <code className="min-w-0 flex-1 text-table wrap-anywhere">{id}</code>
              <IconButton
                size="sm"
                label={t("tryIdEarlier", { id })}
                icon={<ArrowUp size={14} aria-hidden />}
                disabled={at === 0}
                onClick={() => move(at, at - 1)}
              />
              <IconButton
                size="sm"
                label={t("tryIdLater", { id })}
                icon={<ArrowDown size={14} aria-hidden />}
                disabled={at === value.length - 1}
                onClick={() => move(at, at + 1)}
              />
              <IconButton
                size="sm"
                label={t("removeId", { id })}
                icon={<X size={14} aria-hidden />}
                onClick={() => onChange(value.filter((other) => other !== id))}
              />
            </li>
          ))}
        </ol>
      )}
      {value.length < max && fitting.length > 0 && (
        <Select
          aria-label={t("addAModel")}
          aria-invalid={error ? true : undefined}
          value=""
          onChange={(event) => onChange([...value, event.currentTarget.value])}
        >
          <option value="" disabled>
            {value.length === 0 ? t("chooseAModel") : t("addAnotherModel")}
          </option>
          {fitting.map(({ id }) => (
            <option key={id} value={id}>
              {id}
            </option>
          ))}
        </Select>
      )}
      {error && <p className="text-meta font-medium text-bad">{error}</p>}
    </fieldset>
  );
}
