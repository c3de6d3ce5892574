import { LoaderCircle } from "lucide-react";
import type { ComponentProps, MouseEvent, ReactNode } from "react";
import { type ButtonVariant, buttonLook, type ControlSize } from "./looks.ts";
import { Link, LinkPending, type LinkProps } from "./page/link.tsx";

interface ButtonProps extends ComponentProps<"button"> {
  variant?: ButtonVariant | undefined;
  size?: ControlSize | undefined;
  /** True while work is in progress: the button keeps the focus but does nothing. */
  busy?: boolean | undefined;
  icon?: ReactNode;
}

export function Button({ variant, size, busy, icon, className, children, onClick, ...rest }: ButtonProps) {
  const click = (event: MouseEvent<HTMLButtonElement>) => {
    if (busy) event.preventDefault();
    else onClick?.(event);
  };
  return (
    <button
      type="button"
      {...rest}
      {...((onClick || busy) && { onClick: click })}
      aria-busy={busy || undefined}
      aria-disabled={busy || rest["aria-disabled"]}
      className={buttonLook(variant, size, className)}
    >
      {busy ? <LoaderCircle size={16} aria-hidden className="animate-spin" /> : icon}
      {children}
    </button>
  );
}

interface IconButtonProps extends Omit<ButtonProps, "children" | "aria-label"> {
  label: string;
  icon: ReactNode;
}

/** A square button with an icon. `label` is its name and appears on hover. */
export function IconButton({
  label,
  icon,
  variant = "ghost",
  size = "md",
  busy,
  className,
  ...rest
}: IconButtonProps) {
  const square = `px-0! pointer-coarse:w-[44px] ${size === "sm" ? "w-[28px]" : "w-[32px]"}`;
  return (
    <Button
      {...rest}
      variant={variant}
      size={size}
      busy={busy}
      icon={icon}
      aria-label={label}
      title={label}
      className={className ? `${square} ${className}` : square}
    />
  );
}

interface LinkButtonProps extends Omit<LinkProps, "href"> {
  href: string;
  variant?: ButtonVariant | undefined;
  size?: ControlSize | undefined;
  icon?: ReactNode;
}

/** A link that looks like a button, for navigation only. */
export function LinkButton({ href, variant, size, icon, className, children, ...rest }: LinkButtonProps) {
  return (
    <Link {...rest} href={href} className={buttonLook(variant, size, className)}>
      {icon}
      {children}
      <LinkPending />
    </Link>
  );
}
