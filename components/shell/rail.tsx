"use client";

import { useId } from "react";
import { useAccess } from "@/components/team/access";
import { usePlace } from "@/components/ui/page/use-place";
import {
  type Destination,
  destinationOf,
  groupLabels,
  instanceHref,
  isCurrent,
  isOfInstance,
  sections,
} from "./navigation.ts";
import { RailLink, railRow } from "./rail-link.tsx";
import { ShellIcon, type ShellIconName } from "./shell-icon.tsx";
import { useDestinations } from "./use-destinations.ts";
import { useOpenSection } from "./use-open-section.ts";

interface RailLinksProps {
  /** Only the icons are visible between phone and desktop width. */
  compact?: boolean;
  onNavigate?: () => void;
}

/** The list of pages: the account's, or on an operator's page, the operators'. */
export function RailLinks(props: RailLinksProps) {
  const inInstance = useInInstance();
  return inInstance ? <InstancePages {...props} /> : <AccountPages {...props} />;
}

/**
 * Whether an operator is on a page that changes the whole installation. Other people see a refusal on such a
 * page.
 */
export function useInInstance(): boolean {
  const { path } = usePlace();
  return useAccess().operator && isOfInstance(path);
}

function AccountPages({ compact, onNavigate }: RailLinksProps) {
  const { path } = usePlace();
  const pages = useDestinations();
  const here = destinationOf(path)?.group;
  const { open, toggle } = useOpenSection(sections.find(({ name }) => name === here)?.name ?? null);
  const of = (group: Destination["group"]) => pages.filter((page) => page.group === group);
  return (
    <ul className="flex flex-col gap-px">
      {of("home").map((page) => (
        <li key={page.href}>
          <RailLink
            destination={page}
            current={isCurrent(page, path)}
            compact={compact}
            onNavigate={onNavigate}
          />
        </li>
      ))}
      {sections
        .filter(({ name }) => of(name).length > 0)
        .map(({ name, icon }) => (
          <li key={name}>
            <RailSection
              label={groupLabels[name] ?? name}
              icon={icon}
              pages={of(name)}
              pathname={path}
              open={open === name}
              onToggle={() => toggle(name)}
              compact={compact}
              onNavigate={onNavigate}
            />
          </li>
        ))}
      {of("instance").length > 0 && (
        <li className="mt-2 border-t pt-2">
          <RailLink
            look="toInstance"
            destination={{ label: "Instance", href: instanceHref, icon: "server" }}
            current={false}
            compact={compact}
            onNavigate={onNavigate}
          />
        </li>
      )}
    </ul>
  );
}

function InstancePages({ compact, onNavigate }: RailLinksProps) {
  const { path } = usePlace();
  const { accountName } = useAccess();
  const pages = useDestinations().filter(({ group }) => group === "instance");
  return (
    <>
      <RailLink
        look="instance"
        destination={{ label: `Back to ${accountName ?? "the account"}`, href: "/", icon: "chevron-left" }}
        current={false}
        compact={compact}
        onNavigate={onNavigate}
      />
      <div className={`mt-3 mb-2 px-2.5 ${compact ? "max-desktop:sr-only" : ""}`}>
        <p className="flex items-center gap-2 font-semibold text-instance">
          <ShellIcon name="server" size={16} />
          Instance
        </p>
        <p className="text-meta text-muted">For all accounts</p>
      </div>
      <ul
        className={`flex flex-col gap-px ${compact ? "max-desktop:mt-2 max-desktop:border-t max-desktop:border-instance-line max-desktop:pt-2" : ""}`}
      >
        {pages.map((page) => (
          <li key={page.href}>
            <RailLink
              look="instance"
              destination={page}
              current={isCurrent(page, path)}
              compact={compact}
              onNavigate={onNavigate}
            />
          </li>
        ))}
      </ul>
    </>
  );
}

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

/** A section of the rail that opens in place. */
function RailSection(props: RailSectionProps) {
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
