import { ChevronDown } from "lucide-react";
import { type ComponentProps, type ReactNode, useId } from "react";
import { classNames } from "./class-names.ts";
import { controlLook } from "./control-look.ts";

export function Input({ className, ...rest }: ComponentProps<"input">) {
  return <input {...rest} className={classNames(controlLook, className)} />;
}

export function Textarea({ className, ...rest }: ComponentProps<"textarea">) {
  return <textarea rows={4} {...rest} className={classNames(controlLook, "py-1.5 leading-5", className)} />;
}

/** The browser's own select: it works with every keyboard, phone and screen reader. */
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

interface CheckboxProps extends Omit<ComponentProps<"input">, "type"> {
  /** May be left out inside a `<Field>`, which labels it. */
  label?: ReactNode;
  hint?: ReactNode;
  /** For the box at the head of a table: the label is there for screen readers only. */
  hideLabel?: boolean;
}

export function Checkbox({ label, hint, hideLabel, className, ...rest }: CheckboxProps) {
  const hintId = useId();
  return (
    <span className={classNames("inline-flex flex-col gap-0.5", className)}>
      <label
        className={classNames(
          "inline-flex min-h-6 gap-2",
          // A target of 24 px (WCAG 2.5.8), also where the box stands alone.
          hideLabel ? "min-w-6 items-center justify-center" : "items-start",
        )}
      >
        <input
          {...(hint ? { "aria-describedby": hintId } : {})}
          {...rest}
          type="checkbox"
          className={classNames("size-[18px] shrink-0 accent-(--accent-fill)", !hideLabel && "mt-0.5")}
        />
        {label && <span className={hideLabel ? "sr-only" : "text-base"}>{label}</span>}
      </label>
      {hint && (
        <span id={hintId} className="pl-[26px] text-meta text-muted">
          {hint}
        </span>
      )}
    </span>
  );
}

interface SwitchProps extends Omit<ComponentProps<"input">, "type" | "role"> {
  label: ReactNode;
  hideLabel?: boolean;
}

/** On or off, effective at once. */
export function Switch({ label, hideLabel, className, ...rest }: SwitchProps) {
  return (
    <label className={classNames("inline-flex min-h-6 items-center gap-2", className)}>
      {/* biome-ignore lint/a11y/useAriaPropsForRole: a checkbox tells whether it is checked by itself. */}
      <input {...rest} type="checkbox" role="switch" className="peer sr-only" />
      <span
        aria-hidden
        className="relative h-[20px] w-[34px] shrink-0 rounded-full border border-strong bg-sunken transition-colors duration-150 before:absolute before:top-[2px] before:left-[2px] before:size-[14px] before:rounded-full before:bg-(--muted) before:transition-transform before:duration-150 peer-checked:border-transparent peer-checked:bg-accent peer-checked:before:translate-x-[14px] peer-checked:before:bg-on-accent peer-focus-visible:outline-2 peer-focus-visible:outline-offset-2 peer-focus-visible:outline-accent peer-disabled:opacity-55"
      />
      <span className={hideLabel ? "sr-only" : "text-base"}>{label}</span>
    </label>
  );
}
