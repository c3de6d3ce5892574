"use client";

import { Plus } from "lucide-react";
import { type FormEvent, useState } from "react";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/form/field";
import { Input, Select } from "@/components/ui/form/input";
import { usePageRouter } from "@/components/ui/page/use-place";
import { compareHref } from "./compare-link.ts";

interface AddPredictionProps {
  ids: readonly string[];
  /** Recent runs of the same operation; empty if the gateway cannot list them. */
  choices: readonly { id: string; label: string }[];
}

/** Adds a prediction to the comparison: a recent one, or any by its id. */
export function AddPrediction({ ids, choices }: AddPredictionProps) {
  const router = usePageRouter();
  const [problem, setProblem] = useState<string | null>(null);
  const add = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const id = String(new FormData(event.currentTarget).get("id") ?? "").trim();
    if (!/^[A-Za-z0-9_-]{1,128}$/.test(id)) return setProblem("Enter an id like pred_01k9…");
    setProblem(null);
    router.push(compareHref([...ids, id]));
  };
  return (
    <form onSubmit={add} noValidate className="mt-4 flex flex-wrap items-end gap-2">
      <Field
        label={choices.length > 0 ? "Another prediction" : "Prediction id"}
        error={problem}
        className="w-96 max-w-full"
      >
        {(aria) =>
          choices.length > 0 ? (
            <Select {...aria} name="id">
              {choices.map(({ id, label }) => (
                <option key={id} value={id}>
                  {label}
                </option>
              ))}
            </Select>
          ) : (
            <Input {...aria} name="id" placeholder="pred_…" autoComplete="off" className="font-mono" />
          )
        }
      </Field>
      <Button type="submit" icon={<Plus size={16} aria-hidden />}>
        Add
      </Button>
    </form>
  );
}
