"use client";

import {
  cloneElement,
  type KeyboardEvent,
  type ReactElement,
  type ReactNode,
  useEffect,
  useEffectEvent,
  useId,
  useRef,
  useState,
} from "react";
import { placeBeside } from "./anchored-position.ts";
import { classNames } from "./looks.ts";
import { Link } from "./page/link.tsx";

export interface MenuItem {
  /** Needed if two items have the same label. */
  key?: string;
  label: string;
  icon?: ReactNode;
  href?: string;
  /** With `href`: what else happens when the link is opened. */
  onSelect?: () => void;
  tone?: "bad";
  disabled?: boolean;
  /** Why the item is disabled, or what it does. */
  hint?: string;
}

interface MenuProps {
  /** A Button or IconButton. The menu connects it. */
  trigger: ReactElement<Record<string, unknown>>;
  items: readonly MenuItem[];
  align?: "start" | "end";
  label?: string;
  /** Shown above the items, e.g. the signed-in person. */
  header?: ReactNode;
  /** Opens at once, because its button was pressed before the script had loaded. */
  startsOpen?: boolean;
}

/**
 * A menu in a native popover, which also closes it on Esc or a click elsewhere. Arrow keys and letters move.
 * Base UI's menu and tooltip are 73 kB gzip; menus, tooltips, dialogs and toasts here are 3 kB together.
 */
export function Menu({ trigger, items, align = "end", label, header, startsOpen = false }: MenuProps) {
  const id = useId();
  const [open, setOpen] = useState(false);
  const anchor = useRef<HTMLElement>(null);
  const popover = useRef<HTMLDivElement>(null);

  const entries = () => [...(popover.current?.querySelectorAll<HTMLElement>("[role=menuitem]") ?? [])];
  const close = () => popover.current?.hidePopover();
  const show = () => {
    popover.current?.showPopover();
    if (anchor.current && popover.current) placeBeside(anchor.current, popover.current, align);
    entries()[0]?.focus();
  };
  const begin = useEffectEvent(() => {
    // The focus returns to the menu's button.
    anchor.current?.focus();
    show();
  });
  useEffect(() => {
    if (startsOpen) begin();
  }, [startsOpen]);

  const onKeyDown = (event: KeyboardEvent) => {
    const all = entries();
    const index = all.indexOf(document.activeElement as HTMLElement);
    const letter = event.key.length === 1 ? event.key.toLowerCase() : null;
    const target =
      event.key === "ArrowDown"
        ? all[(index + 1) % all.length]
        : event.key === "ArrowUp"
          ? all[(index - 1 + all.length) % all.length]
          : event.key === "Home"
            ? all[0]
            : event.key === "End"
              ? all.at(-1)
              : letter && !event.ctrlKey && !event.metaKey
                ? all.find((entry) => entry.textContent?.toLowerCase().startsWith(letter))
                : undefined;
    if (event.key === "Tab") close();
    if (!target) return;
    event.preventDefault();
    target.focus();
  };

  return (
    <>
      {cloneElement(trigger, {
        ref: anchor,
        "aria-haspopup": "menu",
        "aria-expanded": open,
        "aria-controls": id,
        onClick: () => (open ? close() : show()),
      })}
      <div
        ref={popover}
        id={id}
        popover="auto"
        onToggle={(event) => setOpen(event.newState === "open")}
        className="fixed inset-auto m-0 min-w-44 max-w-[min(320px,calc(100vw-16px))] rounded-panel border bg-raised p-1 text-ink shadow-float"
      >
        {header}
        <div role="menu" aria-label={label} tabIndex={-1} onKeyDown={onKeyDown}>
          {items.map((item) => (
            <MenuEntry key={item.key ?? item.label} item={item} close={close} />
          ))}
        </div>
      </div>
    </>
  );
}

const itemLook =
  "flex min-h-8 pointer-coarse:min-h-11 w-full items-center gap-2 rounded-[6px] px-2 py-1 text-left text-base hover:bg-sunken focus-visible:bg-sunken focus-visible:-outline-offset-2! aria-disabled:opacity-55";

function MenuEntry({ item, close }: { item: MenuItem; close: () => void }) {
  const look = classNames(itemLook, item.tone === "bad" && "text-bad");
  const content = (
    <>
      {item.icon}
      <span className="min-w-0 flex-1">
        {item.label}
        {item.hint && <span className="block text-meta text-muted">{item.hint}</span>}
      </span>
    </>
  );
  if (item.href && !item.disabled)
    return (
      <Link
        role="menuitem"
        tabIndex={-1}
        href={item.href}
        onClick={() => {
          close();
          item.onSelect?.();
        }}
        className={look}
      >
        {content}
      </Link>
    );
  return (
    <button
      type="button"
      role="menuitem"
      tabIndex={-1}
      aria-disabled={item.disabled || undefined}
      className={look}
      onClick={() => {
        if (item.disabled) return;
        close();
        item.onSelect?.();
      }}
    >
      {content}
    </button>
  );
}
