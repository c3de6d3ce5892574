import dynamic from "next/dynamic";
import { useState } from "react";
import type { Prediction } from "#contract/prediction.ts";

const LabelList = dynamic(() => import("./label-list.tsx").then((module) => module.LabelList), {
  loading: () => null,
});

/** Labels to copy for publishing the files. Their code is loaded on demand. */
export function OutputLabels({ prediction }: { prediction: Prediction }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="w-fit rounded-control text-table text-muted">AI label text</summary>
      {isOpen && <LabelList prediction={prediction} />}
    </details>
  );
}
