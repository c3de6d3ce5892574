import { ChevronDown } from "lucide-react";
import type { ComponentProps } from "react";
import { classNames, controlLook } from "../looks.ts";

export function Input({ className, ...rest }: ComponentProps<"input">) {
  return <input {...rest} className={classNames(controlLook, className)} />;
}

export function Textarea({ className, ...rest }: ComponentProps<"textarea">) {
  return <textarea rows={4} {...rest} className={classNames(controlLook, "py-1.5 leading-5", className)} />;
}

/** The browser's own select, which works with every keyboard, phone and screen reader. */
export function Select({ className, children, ...rest }: ComponentProps<"select">) {
  return (
    <span className={classNames("relative inline-flex w-full min-w-0", className)}>
      <select {...rest} className={classNames(controlLook, "appearance-none truncate pr-8!")}>
        {children}
      </select>
      <ChevronDown
        size={16}
        aria-hidden
        className="pointer-events-none absolute top-1/2 right-2 -translate-y-1/2 text-muted"
      />
    </span>
  );
}
