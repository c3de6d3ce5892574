"use client";

import { useEffect, useId, useState } from "react";
import { useWords } from "#words";
import { useAccess } from "@/components/team/access";
import { classNames } from "@/components/ui/looks";
import { Link, LinkPending, usePlace } from "@/components/ui/page/link";
import type { RailSection } from "@/lib/preferences";
import {
  type Destination,
  destinationOf,
  instanceHref,
  isCurrent,
  isOfInstance,
  sections,
  useDestinations,
} from "./navigation.ts";
import { usePreferences } from "./preferences.tsx";
import { ShellIcon, type ShellIconName } from "./shell-icon.tsx";

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

/** A line of the rail: a link, or a button that opens a section. */
export const railRow =
  "rail-row flex w-full items-center gap-2.5 rounded-control px-2.5 text-left font-medium text-muted hover:text-ink focus-visible:-outline-offset-2!";

function AccountPages({ compact, onNavigate }: RailLinksProps) {
  const t = useWords("pages");
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
            label={t.text(page.title)}
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
            <FoldingSection
              label={t(name)}
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
            label={t("instance")}
            destination={{ href: instanceHref, icon: "server" }}
            current={false}
            compact={compact}
            onNavigate={onNavigate}
          />
        </li>
      )}
    </ul>
  );
}

interface Choice {
  section: RailSection | null;
  /** The section of the page that was open when the user chose. */
  on: RailSection | null;
}

/**
 * The open section of the rail: the page's, until the user opens another one or closes it. On pages without a
 * section, the one that was open before. Only one is open at a time, so that the rail fits a small window.
 */
function useOpenSection(current: RailSection | null): {
  open: RailSection | null;
  toggle: (section: RailSection) => void;
} {
  const { preferences, change } = usePreferences();
  const [choice, setChoice] = useState<Choice | null>(null);

  useEffect(() => {
    setChoice(null);
    if (current) change({ railSection: current });
  }, [current, change]);

  const open = choice?.on === current ? choice.section : (current ?? preferences.railSection);
  const toggle = (section: RailSection) => {
    const next = open === section ? null : section;
    setChoice({ section: next, on: current });
    change({ railSection: next });
  };
  return { open, toggle };
}

const looks = {
  account: "hover:bg-sunken aria-[current=page]:bg-accent-soft aria-[current=page]:text-accent",
  /** The link to the operators' pages, in their colour. */
  toInstance: "text-instance! hover:bg-instance-soft",
  instance: "hover:bg-panel aria-[current=page]:bg-panel aria-[current=page]:text-instance",
};

interface RailLinkProps {
  label: string;
  destination: Pick<Destination, "href" | "icon">;
  current: boolean;
  /** Only the icon is visible between phone and desktop width. */
  compact: boolean | undefined;
  /** True inside a section: the icon is visible only when the text is not. */
  nested?: boolean;
  look?: keyof typeof looks;
  onNavigate: (() => void) | undefined;
}

function RailLink({
  label,
  destination,
  current,
  compact,
  nested = false,
  look = "account",
  onNavigate,
}: RailLinkProps) {
  const { href, icon } = destination;
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

function InstancePages({ compact, onNavigate }: RailLinksProps) {
  const t = useWords("pages");
  const shell = useWords("shell");
  const { path } = usePlace();
  const { accountName } = useAccess();
  const pages = useDestinations().filter(({ group }) => group === "instance");
  return (
    <>
      <RailLink
        look="instance"
        label={shell("backTo", { account: accountName ?? "none" })}
        destination={{ href: "/", icon: "chevron-left" }}
        current={false}
        compact={compact}
        onNavigate={onNavigate}
      />
      <div className={`mt-3 mb-2 px-2.5 ${compact ? "max-desktop:sr-only" : ""}`}>
        <p className="flex items-center gap-2 font-semibold text-instance">
          <ShellIcon name="server" size={16} />
          {t("instance")}
        </p>
        <p className="text-meta text-muted">{shell("forAllAccounts")}</p>
      </div>
      <ul
        className={`flex flex-col gap-px ${compact ? "max-desktop:mt-2 max-desktop:border-t max-desktop:border-instance-line max-desktop:pt-2" : ""}`}
      >
        {pages.map((page) => (
          <li key={page.href}>
            <RailLink
              look="instance"
              label={t.text(page.title)}
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

interface FoldingSectionProps {
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
function FoldingSection(props: FoldingSectionProps) {
  const { label, icon, pages, pathname, open, onToggle, compact, onNavigate } = props;
  const t = useWords("pages");
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
              label={t.text(page.title)}
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
