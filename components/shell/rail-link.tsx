import { classNames } from "@/components/ui/class-names";
import { Link } from "@/components/ui/page/link";
import { LinkPending } from "@/components/ui/page/link-pending";
import type { Destination } from "./navigation.ts";
import { ShellIcon } from "./shell-icon.tsx";

/** A line of the rail: a link, or a button that opens a section. */
export const railRow =
  "rail-row flex w-full items-center gap-2.5 rounded-control px-2.5 text-left font-medium text-muted hover:text-ink focus-visible:-outline-offset-2!";

const looks = {
  account: "hover:bg-sunken aria-[current=page]:bg-accent-soft aria-[current=page]:text-accent",
  /** The link to the operators' pages, in their colour. */
  toInstance: "text-instance! hover:bg-instance-soft",
  instance: "hover:bg-panel aria-[current=page]:bg-panel aria-[current=page]:text-instance",
};

interface RailLinkProps {
  destination: Pick<Destination, "label" | "href" | "icon">;
  current: boolean;
  /** Only the icon is visible between phone and desktop width. */
  compact: boolean | undefined;
  /** True inside a section: the icon is visible only when the text is not. */
  nested?: boolean;
  look?: keyof typeof looks;
  onNavigate: (() => void) | undefined;
}

export function RailLink({
  destination,
  current,
  compact,
  nested = false,
  look = "account",
  onNavigate,
}: RailLinkProps) {
  const { label, href, icon } = destination;
  return (
    <Link
      href={href}
      title={compact ? label : undefined}
      aria-current={current ? "page" : undefined}
      {...(onNavigate && { onClick: onNavigate })}
      className={classNames(railRow, looks[look], nested && (compact ? "desktop:pl-9" : "pl-9"))}
    >
      {(!nested || compact) && (
        <ShellIcon name={icon} size={16} {...(nested && { className: "desktop:hidden" })} />
      )}
      <span className={compact ? "max-desktop:sr-only" : undefined}>{label}</span>
      <LinkPending />
    </Link>
  );
}
