import { type ReactNode, useState } from "react";
import { useWords } from "#words";
import { Dialog } from "@/components/ui/dialog";
import { Input } from "@/components/ui/form/input";
import type { BatchOperation } from "@/lib/batches/draft";

/** An operation with what its card shows. */
export type OperationCard = BatchOperation & { purpose: string; cover: ReactNode };

interface OperationDialogProps {
  operations: readonly OperationCard[];
  current: OperationCard;
  onChoose: (operation: OperationCard) => void;
  onClose: () => void;
}

/** All operations that a batch can run, by cover. */
export function OperationDialog({ operations, current, onChoose, onClose }: OperationDialogProps) {
  const t = useWords("batches");
  const [search, setSearch] = useState("");
  const words = search.toLowerCase().split(/\s+/);
  const shown = operations.filter(({ model, apiType, purpose }) => {
    const text = `${model} ${apiType} ${purpose}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  return (
    <Dialog open size="lg" title={t("chooseAnOperation")} onOpenChange={(open) => !open && onClose()}>
      <Input
        type="search"
        aria-label={t("searchOperations")}
        placeholder={t("nameOperationOrUse")}
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
      />
      <p role="status" className="text-muted not-empty:mt-4">
        {shown.length === 0 && t("noOperationMatches")}
      </p>
      <ul className="mt-4 grid grid-cols-[repeat(auto-fill,minmax(min(100%,220px),1fr))] gap-3">
        {shown.map((operation) => (
          <li key={`${operation.model}:${operation.apiType}`} className="flex">
            <button
              type="button"
              aria-current={operation === current || undefined}
              onClick={() => onChoose(operation)}
              className="flex w-full min-w-0 flex-col overflow-hidden rounded-panel border bg-panel pb-2 text-left hover:border-strong hover:bg-sunken aria-current:border-accent aria-current:outline aria-current:outline-(--accent)"
            >
              {operation.cover}
              <span className="mt-2 px-3 font-mono wrap-anywhere">{operation.model}</span>
              <span className="px-3 text-meta text-muted">{operation.apiType}</span>
              <span className="px-3 text-meta text-muted">{operation.purpose}</span>
            </button>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
