"use client";

import { TextFilter } from "./text-filter.tsx";

/** A pair of what callers say of their requests, such as `customer=acme`. */
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
