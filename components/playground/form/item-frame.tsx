"use client";

import { ArrowDown, ArrowUp, X } from "lucide-react";
import type { ReactNode } from "react";
import { IconButton } from "@/components/ui/button";

interface ItemFrameProps {
  name: string;
  /**
   * True: the item gets a box with its name. False: the control shows its own name, with the buttons beside
   * it.
   */
  boxed: boolean;
  onUp: (() => void) | null;
  onDown: (() => void) | null;
  onRemove: () => void;
  children: ReactNode;
}

/** An item of a list with its actions. */
export function ItemFrame({ name, boxed, onUp, onDown, onRemove, children }: ItemFrameProps) {
  const actions = (
    <>
      {onUp && (
        <IconButton
          size="sm"
          label={`Move ${name} up`}
          icon={<ArrowUp size={14} aria-hidden />}
          onClick={onUp}
        />
      )}
      {onDown && (
        <IconButton
          size="sm"
          label={`Move ${name} down`}
          icon={<ArrowDown size={14} aria-hidden />}
          onClick={onDown}
        />
      )}
      <IconButton size="sm" label={`Remove ${name}`} icon={<X size={14} aria-hidden />} onClick={onRemove} />
    </>
  );
  if (!boxed)
    return (
      <div className="flex min-w-0 items-start gap-1">
        <div className="min-w-0 flex-1">{children}</div>
        <div className="mt-5 flex">{actions}</div>
      </div>
    );
  return (
    <fieldset className="min-w-0 rounded-control border p-3">
      <legend className="sr-only">{name}</legend>
      <div className="mb-2 flex items-center gap-1">
        <span aria-hidden className="flex-1 text-table font-medium">
          {name}
        </span>
        {actions}
      </div>
      {children}
    </fieldset>
  );
}
