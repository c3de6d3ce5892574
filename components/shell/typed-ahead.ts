/** The text that is typed after Ctrl K, before there is a field for it. */
export interface TypedAhead {
  /** Whether text is being kept. */
  isOn: boolean;
  /** Starts to keep what is typed, until the palette takes it for the first time. */
  start(): void;
  /** The text so far. From now on, the palette's own field gets what is typed. */
  take(): string;
  /** Forgets the text, as Esc does. */
  stop(): void;
  /** Set by the shell when it can open the palette. Before, this code itself listens to Ctrl K. */
  onEscape: (() => void) | null;
}

declare global {
  interface Window {
    typedAhead?: TypedAhead;
  }
}

/**
 * Keeps the text that is typed between Ctrl K and the palette's first paint. The page's HTML contains this
 * function as its first script, because on a slow line the others come seconds later. So it uses nothing from
 * outside. The shell gets the same object by calling it again.
 */
export function keepTypedAhead(): TypedAhead {
  if (window.typedAhead) return window.typedAhead;
  let text = "";
  let isTaken = false;
  const { dataset } = document.documentElement;
  const set = (isOn: boolean, next: string) => {
    keys.isOn = isOn;
    text = next;
    // The style sheet shows the text.
    if (isOn) dataset.typed = next;
    else delete dataset.typed;
  };
  const keys: TypedAhead = {
    isOn: false,
    onEscape: null,
    start: () => isTaken || keys.isOn || set(true, ""),
    stop: () => set(false, ""),
    take: () => {
      const typed = text;
      isTaken = true;
      set(false, "");
      return typed;
    },
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, altKey } = event;
    if (!keys.onEscape && (ctrlKey || metaKey) && key.toLowerCase() === "k") {
      event.preventDefault();
      keys.start();
    }
    if (!keys.isOn || ctrlKey || metaKey || altKey) return;
    event.preventDefault();
    event.stopPropagation();
    if (key === "Escape") {
      keys.stop();
      keys.onEscape?.();
    } else if (key === "Backspace") set(true, text.slice(0, -1));
    else if (key.length === 1) set(true, text + key);
  };
  window.addEventListener("keydown", onKeyDown, true);
  window.typedAhead = keys;
  return keys;
}
