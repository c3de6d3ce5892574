"use client";

import { useState } from "react";
import { CheckList } from "@/components/keys/check-list";
import { Input } from "@/components/ui/form/input";
import { kindLabel } from "@/lib/operator/provider-labels";

export interface MappableModel {
  id: string;
  apiTypes: readonly string[];
  /** Top-level names of its inputs. */
  fieldNames: readonly string[];
}

interface ModelChoiceProps {
  models: readonly MappableModel[];
  value: string[];
  onChange: (value: string[]) => void;
  error?: string | undefined;
}

/** Models of the catalog, searched by name or kind; ticked ones stay visible. */
export function ModelChoice({ models, value, onChange, error }: ModelChoiceProps) {
  const [text, setText] = useState("");
  // The initial choice is at the top; models ticked later stay in place.
  const [first] = useState(value);
  const wanted = text.trim().toLowerCase();
  const inOrder = models.toSorted(
    (one, other) => Number(first.includes(other.id)) - Number(first.includes(one.id)),
  );
  const shown = inOrder.filter(
    ({ id, apiTypes }) =>
      value.includes(id) ||
      [id, ...apiTypes, ...apiTypes.map(kindLabel)].some((word) => word.includes(wanted)),
  );
  return (
    <div className="space-y-2">
      <CheckList
        scrolls
        legend="Models"
        options={shown.map(({ id, apiTypes }) => ({
          value: id,
          label: (
            <span className="wrap-anywhere">
              {id} <span className="text-meta text-muted">{apiTypes.map(kindLabel).join(", ")}</span>
            </span>
          ),
        }))}
        value={value}
        onChange={onChange}
        error={error}
      />
      <Input
        type="search"
        aria-label="Search models"
        placeholder="Search by name or kind: chat, video …"
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
    </div>
  );
}
