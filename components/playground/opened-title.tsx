"use client";

import { usePageName } from "@/components/shell/page-name";

/** The heading of a playground: the model, after the name of the conversation that is open. */
export function OpenedTitle({ model }: { model: string }) {
  const name = usePageName();
  if (name === null) return <span className="font-mono">{model}</span>;
  return (
    <span className="flex min-w-0 flex-wrap items-baseline gap-x-2.5">
      <span data-name>{name}</span>
      <span className="font-mono text-base font-normal text-muted">{model}</span>
    </span>
  );
}
