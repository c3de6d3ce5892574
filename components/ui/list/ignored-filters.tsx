import { TriangleAlert } from "lucide-react";
import { ignoredFilters } from "@/lib/ignored-filters";
import type { SearchParams } from "@/lib/page-props";

interface IgnoredFiltersProps {
  given: SearchParams;
  known: Parameters<typeof ignoredFilters>[1];
}

/** A note above a list whose address contains a filter that the list does not have. */
export function IgnoredFilters({ given, known }: IgnoredFiltersProps) {
  const ignored = ignoredFilters(given, known);
  if (ignored.length === 0) return null;
  return (
    <p role="alert" className="mb-4 flex gap-2 rounded-panel border border-warn bg-warn-soft px-4 py-2">
      <TriangleAlert size={16} aria-hidden className="mt-0.5 shrink-0 text-warn" />
      <span className="min-w-0 wrap-anywhere">{ignored.join(" ")} The list is shown without it.</span>
    </p>
  );
}
