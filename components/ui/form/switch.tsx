import type { ComponentProps, ReactNode } from "react";
import { classNames } from "../looks.ts";

interface SwitchProps extends Omit<ComponentProps<"input">, "type" | "role"> {
  label: ReactNode;
  hideLabel?: boolean;
}

/** On or off. A change takes effect at once. */
export function Switch({ label, hideLabel, className, ...rest }: SwitchProps) {
  return (
    <label
      className={classNames("inline-flex min-h-6 items-center pointer-coarse:min-h-11 gap-2", className)}
    >
      {/* biome-ignore lint/a11y/useAriaPropsForRole: a native checkbox exposes its own checked state. */}
      <input {...rest} type="checkbox" role="switch" className="peer sr-only" />
      <span
        aria-hidden
        data-swatch
        className="relative h-[20px] w-[34px] shrink-0 rounded-full border border-strong bg-sunken transition-colors duration-150 before:absolute before:top-[2px] before:left-[2px] before:size-[14px] before:rounded-full before:bg-(--muted) before:transition-transform before:duration-150 peer-checked:border-transparent peer-checked:bg-accent peer-checked:before:translate-x-[14px] peer-checked:before:bg-on-accent peer-focus-visible:outline-2 peer-focus-visible:outline-offset-2 peer-focus-visible:outline-accent peer-disabled:opacity-55"
      />
      <span className={hideLabel ? "sr-only" : "text-base"}>{label}</span>
    </label>
  );
}
