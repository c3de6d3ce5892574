export type ButtonVariant = "primary" | "secondary" | "ghost" | "danger";

export type ControlSize = "sm" | "md";

const variants: Record<ButtonVariant, string> = {
  primary: "bg-accent text-on-accent border-transparent hover:brightness-110",
  secondary: "bg-panel text-ink border-strong hover:bg-sunken",
  ghost: "bg-transparent text-muted border-transparent hover:bg-sunken hover:text-ink",
  danger: "bg-bad-soft text-bad border-bad hover:brightness-95",
};

const sizes: Record<ControlSize, string> = {
  sm: "small-control-height px-2 text-table gap-1",
  md: "control-height px-3 text-base gap-1.5",
};

/** The look shared by buttons and links that look like buttons. */
export function buttonLook(
  variant: ButtonVariant = "secondary",
  size: ControlSize = "md",
  className?: string,
): string {
  return classNames(
    "inline-flex shrink-0 pointer-coarse:min-w-11 items-center justify-center rounded-control border font-medium whitespace-nowrap transition-colors duration-150",
    "disabled:cursor-not-allowed disabled:opacity-55 aria-disabled:cursor-not-allowed aria-disabled:opacity-55",
    variants[variant],
    sizes[size],
    className,
  );
}

export function classNames(...parts: (string | false | null | undefined)[]): string {
  return parts.filter(Boolean).join(" ");
}

/** The look of text fields and selects. */
export const controlLook =
  "control-height w-full min-w-0 rounded-control border border-strong bg-panel px-2.5 text-base text-ink aria-invalid:border-bad disabled:cursor-not-allowed disabled:bg-sunken disabled:text-muted";
