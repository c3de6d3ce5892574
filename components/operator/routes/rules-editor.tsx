"use client";

import { Plus, X } from "lucide-react";
import { useId, useState } from "react";
import { useWords } from "#words";
import { CheckList } from "@/components/keys/check-list";
import { Button, IconButton } from "@/components/ui/button";
import { Input, Select } from "@/components/ui/form/input";
import { kindsText } from "@/lib/operator/provider-labels";
import { type Rule, type RuleKind, ruleKinds } from "@/lib/operator/route-entry";

const ruleLabels = {
  rename: "isCalled",
  omit: "isLeftOut",
  defaults: "isIfMissing",
  set: "isAlways",
} as const satisfies Record<RuleKind, string>;

interface RulesEditorProps {
  rules: readonly Rule[];
  onChange: (rules: Rule[]) => void;
  /** Names of the models' inputs, offered as suggestions. */
  fieldNames: readonly string[];
}

/** Rules for fields that are sent to the provider, one per line. */
export function RulesEditor({ rules, onChange, fieldNames }: RulesEditorProps) {
  const t = useWords("mapping");
  const listId = useId();
  const change = (index: number, part: Partial<Rule>) =>
    onChange(rules.map((rule, at) => (at === index ? { ...rule, ...part } : rule)));
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1 text-table font-medium">{t("fields")}</legend>
      <p className="mb-2 text-meta text-muted">{t("fieldsAreSentToThe")}</p>
      <datalist id={listId}>
        {fieldNames.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <ul className="space-y-2">
        {rules.map((rule, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the lines have no other identity.
          <li key={index} className="flex flex-wrap items-center gap-2">
            <Input
              aria-label={t("fieldOfRule", { number: index + 1 })}
              list={listId}
              className="min-w-28 flex-1 basis-32 font-mono"
              placeholder={t("field")}
              spellCheck={false}
              value={rule.field}
              onChange={(event) => change(index, { field: event.currentTarget.value })}
            />
            <Select
              aria-label={t("actionOfRule", { number: index + 1 })}
              className="w-auto! flex-none"
              value={rule.kind}
              onChange={(event) => change(index, { kind: event.currentTarget.value as RuleKind })}
            >
              {ruleKinds.map((kind) => (
                <option key={kind} value={kind}>
                  {t(ruleLabels[kind])}
                </option>
              ))}
            </Select>
            {rule.kind !== "omit" && (
              <Input
                aria-label={
                  rule.kind === "rename"
                    ? t("nameOfRule", { number: index + 1 })
                    : t("valueOfRule", { number: index + 1 })
                }
                className="min-w-28 flex-1 basis-32 font-mono"
                placeholder={rule.kind === "rename" ? t("theProvidersName") : t("value")}
                spellCheck={false}
                value={rule.value}
                onChange={(event) => change(index, { value: event.currentTarget.value })}
              />
            )}
            <IconButton
              label={t("removeRule", { number: index + 1 })}
              icon={<X size={16} aria-hidden />}
              onClick={() => onChange(rules.filter((_, at) => at !== index))}
            />
          </li>
        ))}
      </ul>
      <Button
        size="sm"
        className={rules.length > 0 ? "mt-2" : undefined}
        icon={<Plus size={14} aria-hidden />}
        onClick={() => onChange([...rules, { kind: "rename", field: "", value: "" }])}
      >
        {t("addARule")}
      </Button>
    </fieldset>
  );
}

export interface MappableModel {
  id: string;
  apiTypes: readonly string[];
  /** Top-level names of the model's inputs. */
  fieldNames: readonly string[];
}

interface ModelChoiceProps {
  models: readonly MappableModel[];
  value: string[];
  onChange: (value: string[]) => void;
  error?: string | undefined;
}

/** Models of the catalog, searched by name or kind. Ticked models stay visible. */
export function ModelChoice({ models, value, onChange, error }: ModelChoiceProps) {
  const t = useWords("mapping");
  const shared = useWords("operator");
  const [text, setText] = useState("");
  // The initially chosen models are at the top. Models ticked later stay in place.
  const [first] = useState(value);
  const wanted = text.trim().toLowerCase();
  const inOrder = models.toSorted(
    (one, other) => Number(first.includes(other.id)) - Number(first.includes(one.id)),
  );
  const shown = inOrder.filter(
    ({ id, apiTypes }) =>
      value.includes(id) ||
      [id, ...apiTypes, kindsText(shared, apiTypes)].some((word) => word.includes(wanted)),
  );
  return (
    <div className="space-y-2">
      <CheckList
        scrolls
        legend={t("models")}
        options={shown.map(({ id, apiTypes }) => ({
          value: id,
          label: (
            <span className="wrap-anywhere">
              {id} <span className="text-meta text-muted">{kindsText(shared, apiTypes)}</span>
            </span>
          ),
        }))}
        value={value}
        onChange={onChange}
        error={error}
      />
      <Input
        type="search"
        aria-label={t("searchModels")}
        placeholder={t("searchByNameOrKind")}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
    </div>
  );
}
