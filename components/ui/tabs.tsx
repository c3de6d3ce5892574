"use client";

import {
  type KeyboardEvent,
  type ReactNode,
  startTransition,
  useEffect,
  useId,
  useRef,
  useState,
} from "react";
import { classNames } from "./looks.ts";

export interface Tab<Value extends string = string> {
  value: Value;
  label: ReactNode;
  content: ReactNode;
  badge?: ReactNode;
}

interface TabsProps<Value extends string> {
  value: Value;
  onChange: (value: Value) => void;
  tabs: readonly Tab<Value>[];
  /** Names the row of tabs for screen readers. */
  label?: string;
  /** Hidden panels stay mounted, so that typed text stays too. */
  keepMounted?: boolean;
  /** Shown at the right end of the row. */
  actions?: ReactNode;
  className?: string;
  /**
   * In a window with room for two columns, the content of this tab is the right one, without a tab. Otherwise it is a
   * tab like the others.
   */
  beside?: Value;
  /** With `beside`: shown above the tabs, or on top of the right column. */
  head?: ReactNode;
}

const steps: Record<string, number> = { ArrowRight: 1, ArrowLeft: -1 };

export function Tabs<Value extends string>({
  value,
  onChange,
  tabs,
  label,
  keepMounted,
  actions,
  className,
  beside,
  head,
}: TabsProps<Value>) {
  const id = useId();
  const row = useRef<HTMLDivElement>(null);
  const isSplit = useRoomForTwo(beside !== undefined);
  const offered = isSplit ? tabs.filter((tab) => tab.value !== beside) : tabs;
  const chosen = offered.find((tab) => tab.value === value) ?? offered[0];

  const onKeyDown = (event: KeyboardEvent) => {
    const index = offered.findIndex((tab) => tab.value === chosen?.value);
    const target =
      event.key === "Home"
        ? 0
        : event.key === "End"
          ? offered.length - 1
          : steps[event.key] !== undefined
            ? (index + (steps[event.key] ?? 0) + offered.length) % offered.length
            : -1;
    const next = offered[target];
    if (!next) return;
    event.preventDefault();
    onChange(next.value);
    row.current?.querySelectorAll<HTMLElement>("[role=tab]")[target]?.focus();
  };

  const tabRow = (
    // On a phone, actions that do not fit are above the tabs.
    <div className="flex items-end gap-x-2 border-b max-phone:flex-wrap-reverse">
      <div
        ref={row}
        role="tablist"
        aria-label={label}
        tabIndex={-1}
        onKeyDown={onKeyDown}
        className="-mb-px flex min-w-0 flex-1 gap-1 overflow-x-auto p-0.5 pb-0 max-phone:max-w-full max-phone:flex-[1_0_auto] max-phone:gap-0"
      >
        {offered.map((tab) => (
          <button
            key={tab.value}
            type="button"
            role="tab"
            id={`${id}-tab-${tab.value}`}
            aria-selected={tab === chosen}
            aria-controls={`${id}-panel-${tab.value}`}
            tabIndex={tab === chosen ? 0 : -1}
            onClick={() => onChange(tab.value)}
            className={classNames(
              "control-height inline-flex shrink-0 items-center gap-1.5 border-b-2 border-transparent px-2.5 max-phone:px-2 text-base font-medium text-muted hover:text-ink focus-visible:-outline-offset-2! aria-selected:border-accent aria-selected:text-ink",
              tab.value === beside && "split:hidden",
            )}
          >
            {tab.label}
            {tab.badge !== undefined && tab.badge !== null && (
              <span className="tabular rounded-full bg-sunken px-1.5 text-meta text-muted">{tab.badge}</span>
            )}
          </button>
        ))}
      </div>
      {actions && <div className="ml-auto flex shrink-0 gap-2 pb-1">{actions}</div>}
    </div>
  );
  const panelOf = (tab: Tab<Value>) => (
    <div
      key={tab.value}
      role="tabpanel"
      id={`${id}-panel-${tab.value}`}
      aria-labelledby={`${id}-tab-${tab.value}`}
      hidden={tab !== chosen}
      className="pt-4"
    >
      {(keepMounted || tab === chosen) && tab.content}
    </div>
  );
  if (beside === undefined)
    return (
      <div className={classNames("min-w-0", className)}>
        {tabRow}
        {tabs.map(panelOf)}
      </div>
    );
  const second = tabs.find((tab) => tab.value === beside);
  return (
    <div
      className={classNames(
        "min-w-0 split:grid split:grid-cols-[minmax(0,1fr)_minmax(380px,42%)] split:grid-rows-[auto_1fr] split:gap-x-6",
        className,
      )}
    >
      <div className="mb-2 min-w-0 split:col-start-2 split:mb-0">{head}</div>
      <div className="min-w-0 split:col-start-1 split:row-span-2 split:row-start-1">
        {tabRow}
        {tabs.filter((tab) => tab !== second).map(panelOf)}
      </div>
      <div
        {...(isSplit
          ? {}
          : {
              role: "tabpanel",
              id: `${id}-panel-${beside}`,
              "aria-labelledby": `${id}-tab-${beside}`,
            })}
        // The server does not know the width, so the style decides. Paper has both.
        className={classNames(
          "min-w-0 pt-4 split:col-start-2",
          second !== chosen && "max-split:hidden print:block!",
        )}
      >
        {second?.content}
      </div>
    </div>
  );
}

/** The same as `split` in tailwind.config.ts. */
const roomForTwo = "(min-width: 1200px)";

/**
 * Whether somebody asks, and the window has room for two columns. False until the page is hydrated. A transition,
 * because parts that are not hydrated yet would disappear for a moment.
 */
function useRoomForTwo(isAsked: boolean): boolean {
  const [hasRoom, setRoom] = useState(false);
  useEffect(() => {
    if (!isAsked) return;
    const room = matchMedia(roomForTwo);
    const look = () => startTransition(() => setRoom(room.matches));
    look();
    room.addEventListener("change", look);
    return () => room.removeEventListener("change", look);
  }, [isAsked]);
  return hasRoom;
}
