"use client";

import { useState } from "react";
import { type PriceKind, priceKinds } from "#contract/money/constants.ts";
import type { PriceComponent } from "#contract/operator/prices.ts";
import { Field } from "@/components/ui/form/field";
import { Input, Select } from "@/components/ui/form/input";
import { Section } from "@/components/ui/page/section";
import { formatNumber } from "@/lib/format";
import { kindLabels } from "@/lib/kind-labels";
import { formatMoney } from "@/lib/money";
import { costOfExample, defaultQuantities, type Example } from "@/lib/operator/prices/example";

interface PriceExampleProps {
  components: readonly PriceComponent[];
  currency: string;
}

/** Conditions that an example can choose between. */
const choices = [
  { name: "resolution", condition: "resolution", label: "Resolution" },
  { name: "size", condition: "size", label: "Size" },
  { name: "quality", condition: "quality", label: "Quality" },
  { name: "serviceTier", condition: "service_tier", label: "Service tier" },
] as const;

/** The cost of an example run at the rates beside it, updated while typing. */
export function PriceExample({ components, currency }: PriceExampleProps) {
  const [typed, setTyped] = useState<Partial<Record<PriceKind, string>>>({});
  const [conditions, setConditions] = useState<Omit<Example, "quantities">>({});
  const kinds = priceKinds.filter((kind) => components.some((component) => component.kind === kind));
  const quantities = Object.fromEntries(
    kinds.map((kind) => {
      const number = Number(typed[kind] ?? defaultQuantities[kind]);
      return [kind, Number.isFinite(number) && number > 0 && number < 1e12 ? number : 0];
    }),
  );
  const { lines, total, missing } = costOfExample(components, { quantities, ...conditions });
  const hasSound = components.some(({ when }) => when?.audio !== undefined);
  return (
    <Section title="Example" className="mb-0!" description="An example run that you can change.">
      {kinds.length === 0 ? (
        <p className="text-table text-muted">Enter a rate to see what a run costs.</p>
      ) : (
        <div className="space-y-3 rounded-panel border bg-panel p-3">
          <div className="grid grid-cols-2 gap-2">
            {kinds.map((kind) => (
              <Field
                key={kind}
                label={<span className="first-letter:uppercase">{kindLabels[kind].many}</span>}
              >
                {(aria) => (
                  <Input
                    {...aria}
                    inputMode="decimal"
                    className="tabular"
                    value={typed[kind] ?? String(defaultQuantities[kind])}
                    onChange={(event) => setTyped({ ...typed, [kind]: event.currentTarget.value })}
                  />
                )}
              </Field>
            ))}
            {choices.map(({ name, condition, label }) => {
              const words = [...new Set(components.flatMap(({ when }) => when?.[condition] ?? []))];
              if (words.length === 0) return null;
              return (
                <Field key={name} label={label}>
                  {(aria) => (
                    <Select
                      {...aria}
                      value={conditions[name] ?? ""}
                      onChange={(event) =>
                        setConditions({ ...conditions, [name]: event.currentTarget.value || undefined })
                      }
                    >
                      <option value="">Another</option>
                      {words.map((word) => (
                        <option key={word}>{word}</option>
                      ))}
                    </Select>
                  )}
                </Field>
              );
            })}
            {hasSound && (
              <Field label="Sound">
                {(aria) => (
                  <Select
                    {...aria}
                    value={conditions.audio === true ? "yes" : "no"}
                    onChange={(event) =>
                      setConditions({ ...conditions, audio: event.currentTarget.value === "yes" })
                    }
                  >
                    <option value="no">Without</option>
                    <option value="yes">With</option>
                  </Select>
                )}
              </Field>
            )}
          </div>
          <ul className="tabular space-y-0.5 text-meta text-muted">
            {lines.map(({ kind, quantity, rate, per, amount }) => (
              <li key={kind}>
                {formatNumber(quantity)} {quantity === 1 ? kindLabels[kind].one : kindLabels[kind].many} ×{" "}
                {rate}
                {per > 1 && ` / ${formatNumber(per)}`} = {amount}
              </li>
            ))}
          </ul>
          <p role="status" className="tabular font-medium">
            {total !== null
              ? `This run costs ${formatMoney(total, currency)}`
              : missing.length > 0
                ? `Not priced: no rate for ${missing.map((kind) => kindLabels[kind].many).join(", ")} under these conditions`
                : "Enter how much the run uses."}
          </p>
        </div>
      )}
    </Section>
  );
}
