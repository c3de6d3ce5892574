import { LazyLink } from "@/components/ui/lazy-link";

/** A text of a guide: `code`, [links](/path), and {base} for the base URL. */
export function GuideText({ text, baseUrl }: { text: string; baseUrl: string }) {
  let place = 0;
  return text
    .replaceAll("{base}", baseUrl)
    .split(/(`[^`]+`|\[[^\]]+\]\([^)]+\))/)
    .map((piece) => {
      // A piece is known by its place: the same words may come twice.
      const key = place++;
      if (piece.startsWith("`"))
        return (
          <code key={key} className="wrap-anywhere">
            {piece.slice(1, -1)}
          </code>
        );
      const [, label, href] = /^\[(.+)\]\((.+)\)$/.exec(piece) ?? [];
      if (!label || !href) return piece;
      return (
        <LazyLink key={key} href={href} className="text-accent underline underline-offset-2">
          {label}
        </LazyLink>
      );
    });
}
