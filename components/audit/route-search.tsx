"use client";

import { useState } from "react";
import { Input } from "@/components/ui/input";

/** Part of a route, as `/predictions`: a filter with Enter, or when the field is left. */
export function RouteSearch({ value, onChange }: { value: string; onChange: (route: string) => void }) {
  const [text, setText] = useState(value);
  const apply = () => {
    if (text.trim() !== value) onChange(text.trim());
  };
  return (
    <form
      className="max-w-44 flex-1 basis-28 max-tablet:max-w-none"
      onSubmit={(event) => {
        event.preventDefault();
        apply();
      }}
    >
      <Input
        type="search"
        aria-label="Path contains"
        placeholder="Path"
        className="font-mono placeholder:font-sans"
        maxLength={200}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onBlur={apply}
      />
    </form>
  );
}
