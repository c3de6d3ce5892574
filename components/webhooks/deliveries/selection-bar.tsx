import { RotateCw } from "lucide-react";
import { Button } from "@/components/ui/button";
import { formatCount } from "@/lib/format";

interface SelectionBarProps {
  count: number;
  onRetry: () => void;
  onClear: () => void;
}

/** Actions for the selected rows. Loaded when the first row is selected. */
export function SelectionBar({ count, onRetry, onClear }: SelectionBarProps) {
  return (
    <div className="mb-2 flex flex-wrap items-center gap-2 rounded-control bg-accent-soft px-3 py-1.5">
      <span role="status" className="mr-auto text-table text-ink">
        {formatCount(count, "delivery", "deliveries")} selected
      </span>
      <Button size="sm" icon={<RotateCw size={14} aria-hidden />} onClick={onRetry}>
        Retry selected…
      </Button>
      <Button size="sm" variant="ghost" onClick={onClear}>
        Clear selection
      </Button>
    </div>
  );
}
