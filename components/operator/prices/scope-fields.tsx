"use client";

import { useState } from "react";
import { type ApiType, regionNames } from "#contract/catalog-constants.ts";
import { Combobox } from "@/components/ui/form/combobox";
import { Field } from "@/components/ui/form/field";
import { Select } from "@/components/ui/form/input";
import type { PriceScope } from "@/lib/operator/prices/scope";
import { kindWord } from "@/lib/operator/provider-words";
import { AccountField } from "./account-field.tsx";

/** A model that can have a price. */
export interface PricedModel {
  id: string;
  apiTypes: readonly ApiType[];
}

interface ScopeFieldsProps {
  scope: PriceScope;
  models: readonly PricedModel[];
  providers: readonly string[];
  onChange: (scope: Partial<PriceScope>) => void;
}

const mostOffered = 50;

/** What a price is for: an operation of a model, where it runs, and who pays it. */
export function ScopeFields({ scope, models, providers, onChange }: ScopeFieldsProps) {
  const [text, setText] = useState(scope.model);
  const model = models.find(({ id }) => id === scope.model);
  const offered = models.filter(({ id }) => id.toLowerCase().includes(text.trim().toLowerCase()));
  const choose = (id: string) => {
    setText(id);
    const chosen = models.find((each) => each.id === id);
    if (!chosen) return;
    const [first = null] = chosen.apiTypes;
    const kept = scope.api_type && chosen.apiTypes.includes(scope.api_type) ? scope.api_type : first;
    onChange({ model: id, api_type: kept });
  };
  return (
    <div className="grid max-w-4xl gap-4 tablet:grid-cols-2">
      <Field label="Model" required>
        {(aria) => (
          <Combobox
            aria={aria}
            value={text}
            onChange={choose}
            onPick={choose}
            options={offered.slice(0, mostOffered).map(({ id }) => ({ value: id }))}
            note={offered.length > mostOffered ? "There are more. Type to narrow the list." : null}
            placeholder="Search models"
          />
        )}
      </Field>
      <Field label="Operation" required>
        {(aria) => (
          <Select
            {...aria}
            disabled={!model}
            value={scope.api_type ?? ""}
            onChange={(event) => onChange({ api_type: event.currentTarget.value as ApiType })}
          >
            {!model && <option value="">Choose a model first</option>}
            {model?.apiTypes.map((apiType) => (
              <option key={apiType} value={apiType}>
                {kindWord(apiType)}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field label="Provider" hint="A price of one provider goes before the price of any.">
        {(aria) => (
          <Select
            {...aria}
            value={scope.provider ?? ""}
            onChange={(event) => onChange({ provider: event.currentTarget.value || null })}
          >
            <option value="">Any provider</option>
            {[...new Set([...providers, ...(scope.provider ? [scope.provider] : [])])].map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field label="Region">
        {(aria) => (
          <Select
            {...aria}
            value={scope.region ?? ""}
            onChange={(event) =>
              onChange({ region: (event.currentTarget.value || null) as PriceScope["region"] })
            }
          >
            <option value="">Any region</option>
            {regionNames.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <AccountField
        label="Selling price of an account"
        none="The cost, which you pay the provider"
        value={scope.account}
        onChange={(account) => onChange({ account })}
      />
    </div>
  );
}
