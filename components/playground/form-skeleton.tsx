"use client";

import { Skeleton } from "@/components/ui/skeleton";
import type { FieldKind, PlannedField } from "@/lib/schema-form/plan";

/** About as high as the field that will stand there, so that little moves when it arrives. */
const heights: Partial<Record<FieldKind, string>> = {
  messages: "h-[252px]",
  prompt: "h-[77px]",
  media: "h-[74px]",
  "media-list": "h-[74px]",
  items: "h-[34px]",
  confirm: "h-[80px]",
};

/** The form's outline while its code is on its way. */
export function FormSkeleton({ fields }: { fields: readonly PlannedField[] }) {
  return (
    <div aria-busy className="flex min-w-0 flex-col gap-4">
      {fields
        .filter(({ advanced }) => !advanced)
        .map(({ name, title, kind }) => (
          <div key={name} className="flex flex-col gap-1">
            <span className="text-table font-medium text-muted">{title}</span>
            <Skeleton className={`${heights[kind] ?? "h-8"} w-full`} />
            <span aria-hidden className="h-4" />
          </div>
        ))}
    </div>
  );
}
