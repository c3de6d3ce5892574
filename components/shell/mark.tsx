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
