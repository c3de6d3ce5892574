"use client";

import { X } from "lucide-react";
import dynamic from "next/dynamic";
import {
  createContext,
  type FocusEvent,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { useWords } from "#words";
import { Button, IconButton } from "./button.tsx";
import { classNames } from "./looks.ts";

/** Loaded late, because few messages have something to copy. */
const CopyButton = dynamic(() => import("./copy-button.tsx").then((module) => module.CopyButton), {
  loading: () => null,
});

export interface ToastOptions {
  title: string;
  description?: string;
  tone?: "good" | "bad" | "warn" | "plain";
  action?: { label: string; onClick: () => void };
  /** The id of a failed request, to quote when asking for help. */
  requestId?: string;
  /** How long the toast stays. A failure stays until it is closed. */
  durationMs?: number;
  /** Called once when the toast closes, for any reason, after its action. */
  onClose?: () => void;
}

interface ShownToast extends ToastOptions {
  id: number;
}

const defaultDurationMs = 6000;
const maxShown = 4;

const ToastContext = createContext<(options: ToastOptions) => void>(() => {});

/** Reports what happened, also to screen readers: `const { toast } = useToast()`. */
export function useToast(): { toast: (options: ToastOptions) => void } {
  return { toast: useContext(ToastContext) };
}

export function ToastProvider({ children }: { children: ReactNode }) {
  const [toasts, setToasts] = useState<readonly ShownToast[]>([]);
  const shown = useRef<readonly ShownToast[]>([]);
  const nextId = useRef(0);

  const show = useCallback((next: readonly ShownToast[]) => {
    const gone = shown.current.filter((entry) => !next.includes(entry));
    shown.current = next;
    setToasts(next);
    for (const entry of gone) entry.onClose?.();
  }, []);
  const toast = useCallback(
    (options: ToastOptions) => {
      nextId.current += 1;
      show([...shown.current.slice(1 - maxShown), { ...options, id: nextId.current }]);
    },
    [show],
  );
  const close = useCallback((id: number) => show(shown.current.filter((entry) => entry.id !== id)), [show]);

  return (
    <ToastContext value={toast}>
      {children}
      <div
        role="status"
        aria-live="polite"
        className="pointer-events-none fixed right-3 bottom-3 z-50 flex w-[min(380px,calc(100vw-24px))] flex-col gap-2 max-tablet:bottom-[68px]"
      >
        {toasts.map((entry) => (
          <ToastCard key={entry.id} toast={entry} close={close} />
        ))}
      </div>
    </ToastContext>
  );
}

const edges = { good: "border-l-good", bad: "border-l-bad", warn: "border-l-warn", plain: "border-l-accent" };

function ToastCard({ toast, close }: { toast: ShownToast; close: (id: number) => void }) {
  const t = useWords("ui");
  const { id, tone = "plain", action } = toast;
  const [held, setHeld] = useState(false);
  const { card, onEnter } = useFocusReturn();
  const durationMs = toast.durationMs ?? (tone === "bad" ? null : defaultDurationMs);

  useEffect(() => {
    if (held || durationMs === null) return;
    const timer = setTimeout(() => close(id), durationMs);
    return () => clearTimeout(timer);
  }, [held, durationMs, id, close]);

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: hovering only keeps it from going away.
    <div
      ref={card}
      onMouseEnter={() => setHeld(true)}
      onMouseLeave={() => setHeld(false)}
      onFocus={(event) => {
        onEnter(event);
        setHeld(true);
      }}
      onBlur={() => setHeld(false)}
      className={classNames(
        "appear pointer-events-auto flex items-start gap-3 rounded-panel border border-l-4 bg-raised py-2.5 pr-2 pl-3 shadow-float",
        edges[tone],
      )}
    >
      <div className="min-w-0 flex-1 py-0.5">
        <p className="font-medium wrap-anywhere">{toast.title}</p>
        {toast.description && <p className="text-table text-muted wrap-anywhere">{toast.description}</p>}
        {toast.requestId && (
          <p className="flex items-center font-mono text-meta text-muted">
            <span className="min-w-0 truncate">{toast.requestId}</span>
            <CopyButton value={toast.requestId} label={t("copyRequestId")} />
          </p>
        )}
      </div>
      {action && (
        <Button
          size="sm"
          onClick={() => {
            action.onClick();
            close(id);
          }}
        >
          {action.label}
        </Button>
      )}
      <IconButton
        size="sm"
        label={t("closeMessage")}
        icon={<X size={14} aria-hidden />}
        onClick={() => close(id)}
      />
    </div>
  );
}

/**
 * When a toast closes while it has the focus, the focus returns to its earlier place, or to the page's
 * heading.
 */
function useFocusReturn() {
  const card = useRef<HTMLDivElement>(null);
  const cameFrom = useRef<HTMLElement | null>(null);
  useLayoutEffect(() => {
    const element = card.current;
    return () => {
      if (!element?.contains(document.activeElement)) return;
      const heading = document.querySelector<HTMLElement>("h1");
      if (heading) heading.tabIndex = -1;
      (cameFrom.current?.isConnected ? cameFrom.current : heading)?.focus();
    };
  }, []);
  const onEnter = ({ relatedTarget }: FocusEvent) => {
    if (relatedTarget instanceof HTMLElement && !card.current?.contains(relatedTarget))
      cameFrom.current = relatedTarget;
  };
  return { card, onEnter };
}
