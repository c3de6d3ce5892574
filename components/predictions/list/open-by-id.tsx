"use client";

import { ArrowRight } from "lucide-react";
import { type FormEvent, useState } from "react";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { usePageRouter } from "@/components/ui/use-place";
import { predictionHref } from "../links.ts";

/** Opens a prediction by its id. */
export function OpenById() {
  const router = usePageRouter();
  const [problem, setProblem] = useState<string | null>(null);
  const open = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const id = String(new FormData(event.currentTarget).get("id") ?? "").trim();
    if (!/^[A-Za-z0-9._-]{1,128}$/.test(id)) return setProblem("Enter an id like pred_01k9…");
    setProblem(null);
    router.push(predictionHref(id));
  };
  return (
    <form onSubmit={open} className="flex flex-wrap items-end gap-2" noValidate>
      <Field label="Prediction id" error={problem} className="w-80 max-w-full">
        {(aria) => (
          <Input
            {...aria}
            name="id"
            placeholder="pred_…"
            autoComplete="off"
            spellCheck={false}
            className="font-mono"
          />
        )}
      </Field>
      <Button type="submit" icon={<ArrowRight size={16} aria-hidden />}>
        Open
      </Button>
    </form>
  );
}
