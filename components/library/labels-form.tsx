"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/form/field";
import { Input } from "@/components/ui/form/input";
import { callRoute } from "@/lib/browser/gateway";
import { labelProblem, labelsOfText } from "@/lib/library/label-text";
import { queryKeys } from "@/lib/query-keys";

/** How many existing labels are offered. */
const maxOffered = 12;

interface LabelsFormProps {
  labels: readonly string[];
  busy: boolean;
  onSave: (labels: string[]) => void;
}

/** The labels of a kept file, typed between commas or chosen from existing ones. */
export function LabelsForm({ labels, busy, onSave }: LabelsFormProps) {
  const [text, setText] = useState(labels.join(", "));
  const { data } = useQuery({
    queryKey: queryKeys.libraryLabels(),
    queryFn: ({ signal }) => callRoute("GET /outputs/labels", { signal }),
  });
  const typed = labelsOfText(text);
  const problem = labelProblem(typed);
  const used = data?.ok ? data.data.data.map(({ label }) => label) : [];
  const offered = used.filter((label) => !typed.includes(label)).slice(0, maxOffered);
  return (
    <form
      className="space-y-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (problem === null) onSave(typed);
      }}
    >
      <Field label="Labels" hint="Separate labels with commas." error={problem ?? undefined}>
        {(aria) => (
          <Input
            {...aria}
            value={text}
            autoComplete="off"
            onChange={(event) => setText(event.currentTarget.value)}
          />
        )}
      </Field>
      {offered.length > 0 && (
        <ul aria-label="Labels in use" className="flex flex-wrap gap-1">
          {offered.map((label) => (
            <li key={label}>
              <Button size="sm" variant="ghost" onClick={() => setText([...typed, label].join(", "))}>
                + {label}
              </Button>
            </li>
          ))}
        </ul>
      )}
      <Button type="submit" variant="primary" busy={busy}>
        Save labels
      </Button>
    </form>
  );
}
