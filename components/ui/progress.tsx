interface ProgressProps {
  /** 0..1, or null if unknown. */
  value: number | null;
  label: string;
  className?: string;
}

/** The browser's own progress bar, styled. */
export function Progress({ value, label, className }: ProgressProps) {
  return (
    <progress
      aria-label={label}
      max={1}
      {...(value !== null && { value: Math.min(1, Math.max(0, value)) })}
      className={`h-1.5 w-full appearance-none overflow-hidden rounded-full bg-sunken [&::-moz-progress-bar]:bg-(--accent-fill) [&::-webkit-progress-bar]:bg-sunken [&::-webkit-progress-value]:rounded-full [&::-webkit-progress-value]:bg-(--accent-fill) [&::-webkit-progress-value]:transition-[width] ${value === null ? "breathe" : ""} ${className ?? ""}`}
    />
  );
}
