"use client";

import { ChevronDown } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import { useWords } from "#words";
import type { OperationCard } from "./operation-dialog.tsx";

const OperationDialog = dynamic(
  () => import("./operation-dialog.tsx").then((module) => module.OperationDialog),
  { ssr: false },
);

interface OperationChoiceProps {
  operations: readonly OperationCard[];
  current: OperationCard;
  onChoose: (operation: OperationCard) => void;
}

/** The operation of a batch with its cover. A click offers all others. */
export function OperationChoice({ operations, current, onChoose }: OperationChoiceProps) {
  const t = useWords("batches");
  const [isOpen, setIsOpen] = useState(false);
  const { model, apiType, purpose, cover } = current;
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        aria-label={t("operationModelApitypeChooseAnother", { model, apiType })}
        onClick={() => setIsOpen(true)}
        className="flex w-full max-w-120 items-center gap-3 overflow-hidden rounded-panel border border-strong bg-panel pr-3 text-left hover:bg-sunken"
      >
        <span className="w-36 shrink-0 border-r">{cover}</span>
        <span className="min-w-0 flex-1 py-1.5">
          <span className="block font-mono wrap-anywhere">{model}</span>
          <span className="block text-meta text-muted">{apiType}</span>
          <span className="block text-meta text-muted max-phone:hidden">{purpose}</span>
        </span>
        <ChevronDown size={16} aria-hidden className="shrink-0 text-muted" />
      </button>
      {isOpen && (
        <OperationDialog
          operations={operations}
          current={current}
          onChoose={(operation) => {
            setIsOpen(false);
            onChoose(operation);
          }}
          onClose={() => setIsOpen(false)}
        />
      )}
    </>
  );
}
