"use client";

import { useState } from "react";
import { Input } from "@/components/ui/input";
import { type DeliveryView, idFilter } from "@/lib/webhooks/delivery-view";

/** Takes a pasted delivery, event, prediction or endpoint id and makes it a filter. */
export function IdSearch({ onFind }: { onFind: (next: Partial<DeliveryView>) => void }) {
  const [text, setText] = useState("");
  const [refused, setRefused] = useState(false);

  const find = () => {
    const found = idFilter(text);
    setRefused(found === null && text.trim() !== "");
    if (!found) return;
    setText("");
    onFind({ [found.name]: found.value });
  };
  return (
    <form
      className="relative max-w-44 flex-1 basis-24 max-tablet:max-w-none"
      onSubmit={(event) => {
        event.preventDefault();
        find();
      }}
    >
      <Input
        type="search"
        aria-label="Search by delivery, event, prediction or endpoint id"
        aria-invalid={refused || undefined}
        placeholder="Find id"
        title="Paste an id (dlv_, evt_, pred_ or we_) and press Enter"
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setRefused(false);
        }}
      />
      <span role="status">
        {refused && (
          <span className="absolute top-full left-0 z-10 mt-1 rounded-control border border-bad bg-raised px-2 py-1 text-meta whitespace-nowrap text-bad shadow-float">
            Enter an id that starts with dlv_, evt_, pred_ or we_
          </span>
        )}
      </span>
    </form>
  );
}
