import { useId } from "react";
import { type Destination, isCurrent } from "./navigation.ts";
import { RailLink, railRow } from "./rail-link.tsx";
import { ShellIcon, type ShellIconName } from "./shell-icon.tsx";

interface RailSectionProps {
  label: string;
  icon: ShellIconName;
  pages: readonly Destination[];
  pathname: string;
  open: boolean;
  onToggle: () => void;
  compact: boolean | undefined;
  onNavigate: (() => void) | undefined;
}

/** A part of the rail that opens in place. */
export function RailSection(props: RailSectionProps) {
  const { label, icon, pages, pathname, open, onToggle, compact, onNavigate } = props;
  const id = useId();
  const holdsPage = pages.some((page) => isCurrent(page, pathname));
  return (
    <>
      <button
        type="button"
        aria-expanded={open}
        aria-controls={id}
        title={compact ? label : undefined}
        onClick={onToggle}
        className={`${railRow} hover:bg-sunken ${holdsPage && !open ? "text-accent!" : ""}`}
      >
        <ShellIcon name={icon} size={16} />
        <span className={`flex-1 ${compact ? "max-desktop:sr-only" : ""}`}>{label}</span>
        <ShellIcon
          name="chevron-right"
          size={14}
          className={`text-faint ${open ? "rotate-90" : ""} ${compact ? "max-desktop:hidden" : ""}`}
        />
      </button>
      <ul
        id={id}
        hidden={!open}
        className={`mt-px flex-col gap-px ${open ? "flex" : ""} ${compact ? "max-desktop:rounded-control max-desktop:bg-sunken" : ""}`}
      >
        {pages.map((page) => (
          <li key={page.href}>
            <RailLink
              nested
              destination={page}
              current={isCurrent(page, pathname)}
              compact={compact}
              onNavigate={onNavigate}
            />
          </li>
        ))}
      </ul>
    </>
  );
}
