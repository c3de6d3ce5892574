/** A line between two ways to sign in. */
export function OrDivider() {
  return (
    <p className="my-4 flex items-center gap-3 text-muted before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
      or
    </p>
  );
}
