"use client";

import { ArrowDown, ArrowUp, X } from "lucide-react";
import { IconButton } from "@/components/ui/button";
import { Select } from "@/components/ui/form/input";

export interface ModelChoice {
  id: string;
  apiTypes: readonly string[];
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
export function ModelOrder({ models, value, max, onChange, error }: ModelOrderProps) {
  const kinds = models.find(({ id }) => id === value[0])?.apiTypes;
  const fitting = models.filter(
    ({ id, apiTypes }) => !value.includes(id) && (kinds?.some((kind) => apiTypes.includes(kind)) ?? true),
  );
  const move = (at: number, to: number) =>
    onChange(value.toSpliced(at, 1).toSpliced(to, 0, String(value[at])));
  return (
    <fieldset className="min-w-0 space-y-2">
      <legend className="mb-1 text-table font-medium text-ink">
        Models, in the order in which they are tried
      </legend>
      {value.length > 0 && (
        <ol className="divide-y rounded-control border">
          {value.map((id, at) => (
            <li key={id} className="flex items-center gap-2 px-3 py-1">
              <span className="tabular-nums text-muted">{at + 1}.</span>
              <code className="min-w-0 flex-1 text-table wrap-anywhere">{id}</code>
              <IconButton
                size="sm"
                label={`Try ${id} earlier`}
                icon={<ArrowUp size={14} aria-hidden />}
                disabled={at === 0}
                onClick={() => move(at, at - 1)}
              />
              <IconButton
                size="sm"
                label={`Try ${id} later`}
                icon={<ArrowDown size={14} aria-hidden />}
                disabled={at === value.length - 1}
                onClick={() => move(at, at + 1)}
              />
              <IconButton
                size="sm"
                label={`Remove ${id}`}
                icon={<X size={14} aria-hidden />}
                onClick={() => onChange(value.filter((other) => other !== id))}
              />
            </li>
          ))}
        </ol>
      )}
      {value.length < max && fitting.length > 0 && (
        <Select
          aria-label="Add a model"
          aria-invalid={error ? true : undefined}
          value=""
          onChange={(event) => onChange([...value, event.currentTarget.value])}
        >
          <option value="" disabled>
            {value.length === 0 ? "Choose a model" : "Add another model"}
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
