"use client";

import { X } from "lucide-react";
import { useState } from "react";
import { IconButton } from "@/components/ui/button";
import { Lane } from "./lane";
import type { Chat, Column } from "./use-chat";

/** The answers of one model, or of two beside each other; on a phone one after the other. */
export function Columns({ chat }: { chat: Chat }) {
  const { first, second } = chat.columns;
  const [shown, setShown] = useState<Column>("first");
  if (!second) return <Lane chat={chat} lane={first} name={first.model.id} isAlone />;
  const heads = [
    { column: "first" as const, name: first.model.id },
    { column: "second" as const, name: second.modelId },
  ];
  return (
    <>
      <fieldset className="mb-3 hidden w-full gap-0.5 rounded-control border border-strong bg-sunken p-0.5 max-tablet:flex">
        <legend className="sr-only">Show the answers of</legend>
        {heads.map(({ column, name }) => (
          <button
            key={column}
            type="button"
            aria-pressed={shown === column}
            onClick={() => setShown(column)}
            className="inline-flex min-h-8 min-w-0 flex-1 items-center justify-center truncate rounded-[6px] font-mono text-table text-muted aria-pressed:bg-panel aria-pressed:text-ink pointer-coarse:min-h-11"
          >
            {name}
          </button>
        ))}
      </fieldset>
      <div className="grid min-w-0 grid-cols-1 gap-6 tablet:grid-cols-2">
        {heads.map(({ column, name }) => (
          <section
            key={column}
            aria-label={`Answers of ${name}`}
            className={`min-w-0 ${shown === column ? "" : "max-tablet:hidden"}`}
          >
            <header className="mb-3 flex min-w-0 items-center gap-1 border-b pb-1.5">
              <h2 className="min-w-0 flex-1 truncate font-mono text-table font-medium">{name}</h2>
              {column === "second" && (
                <IconButton
                  size="sm"
                  label={`Remove ${name}`}
                  icon={<X size={14} aria-hidden />}
                  disabled={chat.running}
                  onClick={() => chat.setSecond(null)}
                />
              )}
            </header>
            {column === "second" && second.isGone ? (
              <p className="text-muted">This model is no longer offered. Its answers are kept.</p>
            ) : null}
            <Lane chat={chat} lane={column === "first" ? first : second} name={name} isAlone={false} />
          </section>
        ))}
      </div>
    </>
  );
}
