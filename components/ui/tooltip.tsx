"use client";

import {
  cloneElement,
  type FocusEvent,
  type MouseEvent,
  type ReactElement,
  type ReactNode,
  useEffect,
  useId,
  useRef,
  useState,
} from "react";
import { placeBeside } from "./anchored-position.ts";

const showDelayMs = 250;
const hideDelayMs = 120;

interface TooltipProps {
  content: ReactNode;
  /** One focusable element, e.g. a button or a link. */
  children: ReactElement<Record<string, unknown>>;
}

/** More about a focusable element, on hover and focus. Esc hides it, and the pointer may rest on it. */
export function Tooltip({ content, children }: TooltipProps) {
  const id = useId();
  const [open, setOpen] = useState(false);
  const anchor = useRef<HTMLElement>(null);
  const popover = useRef<HTMLSpanElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  const later = (next: boolean) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setOpen(next), next ? showDelayMs : hideDelayMs);
  };

  useEffect(() => () => clearTimeout(timer.current), []);

  useEffect(() => {
    const tip = popover.current;
    if (!open || !tip || !anchor.current) return;
    tip.showPopover();
    placeBeside(anchor.current, tip, "center");
    const onKeyDown = (event: KeyboardEvent) => event.key === "Escape" && setOpen(false);
    document.addEventListener("keydown", onKeyDown);
    return () => {
      document.removeEventListener("keydown", onKeyDown);
      if (tip.isConnected) tip.hidePopover();
    };
  }, [open]);

  return (
    <>
      {cloneElement(children, {
        "aria-describedby": id,
        onMouseEnter: ({ currentTarget }: MouseEvent<HTMLElement>) => {
          anchor.current = currentTarget;
          later(true);
        },
        onMouseLeave: () => later(false),
        onFocus: ({ currentTarget }: FocusEvent<HTMLElement>) => {
          anchor.current = currentTarget;
          setOpen(true);
        },
        onBlur: () => setOpen(false),
      })}
      <span
        ref={popover}
        id={id}
        role="tooltip"
        popover="manual"
        onMouseEnter={() => later(true)}
        onMouseLeave={() => later(false)}
        className="fixed inset-auto m-0 max-w-[min(320px,calc(100vw-16px))] rounded-control border bg-raised px-2 py-1 text-meta text-ink shadow-float"
      >
        {content}
      </span>
    </>
  );
}
