"use client";

import { TextFilter } from "./text-filter.tsx";

/** Filters by a pair of the caller's metadata, such as `customer=acme`. */
export function MetadataFilter({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  return (
    <TextFilter
      key={value}
      label="Metadata"
      placeholder="customer=acme"
      value={value}
      onChange={onChange}
      problemOf={(text) => (/^[^=]+=/.test(text) ? null : "Write key=value.")}
    />
  );
}
