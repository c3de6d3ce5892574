"use client";

import { Fragment } from "react";
import { Link } from "@/components/ui/page/link";
import { LinkPending } from "@/components/ui/page/link-pending";
import { usePlace } from "@/components/ui/page/use-place";
import { type Destination, groupLabels, isCurrent } from "./navigation.ts";
import { ShellIcon } from "./shell-icon.tsx";
import { useDestinations } from "./use-destinations.ts";

/** The list of pages; `compact` leaves only the icons between phone and desktop width. */
export function RailLinks({ compact, onNavigate }: { compact?: boolean; onNavigate?: () => void }) {
  const { path: pathname } = usePlace();
  const destinations = useDestinations();
  const groups = [...new Set(destinations.map((destination) => destination.group))];
  return groups.map((group) => (
    <Fragment key={group}>
      {groupLabels[group] && (
        <p
          className={`mt-4 mb-1 px-2.5 text-meta font-medium text-faint ${compact ? "max-desktop:sr-only" : ""}`}
        >
          {groupLabels[group]}
        </p>
      )}
      <ul
        className={`flex flex-col gap-0.5 ${compact && groupLabels[group] ? "max-desktop:mt-2 max-desktop:border-t max-desktop:pt-2" : ""}`}
      >
        {destinations
          .filter((destination) => destination.group === group)
          .map((destination) => (
            <li key={destination.href}>
              <RailLink
                destination={destination}
                current={isCurrent(destination, pathname)}
                compact={compact}
                onNavigate={onNavigate}
              />
            </li>
          ))}
      </ul>
    </Fragment>
  ));
}

interface RailLinkProps {
  destination: Destination;
  current: boolean;
  compact: boolean | undefined;
  onNavigate: (() => void) | undefined;
}

function RailLink({ destination, current, compact, onNavigate }: RailLinkProps) {
  const { label, href, icon } = destination;
  return (
    <Link
      href={href}
      title={compact ? label : undefined}
      aria-current={current ? "page" : undefined}
      {...(onNavigate && { onClick: onNavigate })}
      className="control-height flex items-center gap-2.5 rounded-control px-2.5 font-medium text-muted hover:bg-sunken hover:text-ink aria-[current=page]:bg-accent-soft aria-[current=page]:text-accent"
    >
      <ShellIcon name={icon} size={16} />
      <span className={compact ? "max-desktop:sr-only" : undefined}>{label}</span>
      <LinkPending />
    </Link>
  );
}
