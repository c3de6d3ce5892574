/** Names of drawings in `ShellIcons`. */
export type ShellIconName =
  | "activity"
  | "arrow-left-right"
  | "bell"
  | "book-open"
  | "book-open-text"
  | "bookmark"
  | "boxes"
  | "building"
  | "cable"
  | "chart-column"
  | "check"
  | "chevron-left"
  | "chevron-right"
  | "circle-check"
  | "circle-help"
  | "clapperboard"
  | "columns-2"
  | "ellipsis"
  | "flag"
  | "folder-output"
  | "hammer"
  | "heart-pulse"
  | "house"
  | "key-round"
  | "keyboard"
  | "languages"
  | "layout-grid"
  | "life-buoy"
  | "list-checks"
  | "log-out"
  | "menu"
  | "messages"
  | "monitor"
  | "moon"
  | "package-open"
  | "plug-zap"
  | "scroll-text"
  | "search"
  | "send"
  | "server"
  | "server-off"
  | "settings"
  | "shield-ban"
  | "shield-check"
  | "signal"
  | "signpost"
  | "sliders"
  | "sun"
  | "tag"
  | "terminal"
  | "triangle-alert"
  | "upload"
  | "user-round"
  | "users"
  | "waypoints"
  | "webhook"
  | "wifi-off";

interface ShellIconProps {
  name: ShellIconName;
  size: number;
  className?: string;
}

/** An icon of the rail and the menus. `ShellIcons` draws each once per page. */
export function ShellIcon({ name, size, className = "" }: ShellIconProps) {
  return (
    <svg
      aria-hidden
      width={size}
      height={size}
      fill="none"
      stroke="currentColor"
      strokeWidth={2}
      strokeLinecap="round"
      strokeLinejoin="round"
      className={`shrink-0 ${className}`}
    >
      <use href={`#icon-${name}`} />
    </svg>
  );
}

/** The logo: two arches and a line that passes between them. */
export function Mark({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 32 32" aria-hidden="true" className={className} fill="none">
      <rect width="32" height="32" rx="8" className="fill-(--accent-fill)" />
      <path
        d="M8 24v-8a4 4 0 0 1 8 0v8m0 0v-8a4 4 0 0 1 8 0v8"
        className="stroke-on-accent"
        strokeWidth="2.25"
        strokeLinecap="round"
      />
    </svg>
  );
}
