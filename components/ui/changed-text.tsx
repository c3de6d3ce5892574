/** A text that the older of two versions has. */
export function Removed({ children }: { children: string }) {
  return <del className="rounded-sm bg-bad-soft decoration-bad">{children}</del>;
}

/** A text that the newer of two versions has. */
export function Added({ children }: { children: string }) {
  return <ins className="rounded-sm bg-good-soft no-underline forced-colors:underline">{children}</ins>;
}
