import { Link } from "@/components/ui/page/link";
import { Tooltip } from "@/components/ui/tooltip";
import { shortAddress } from "@/lib/webhooks/addresses";

/** Longer addresses are cut in the middle, because the column has one line for them. */
const shownLength = 26;

interface EndpointAddressProps {
  url: string;
  /** The endpoint's description. */
  description?: string | null;
  href?: string | undefined;
}

/**
 * A delivery's endpoint: its name above its address. A long address is cut in the middle, and shown in full
 * on hover and focus.
 */
export function EndpointAddress({ url, description, href }: EndpointAddressProps) {
  const { text, isCut } = shortAddress(url, shownLength);
  const address = (
    <span translate="no" className="block truncate">
      {text}
    </span>
  );
  const link = href ? (
    <Link href={href} className="block hover:text-accent hover:underline">
      {address}
    </Link>
  ) : (
    address
  );
  return (
    <span className="relative z-1 block min-w-0">
      {description && (
        <span className="block truncate text-ink" title={description}>
          {description}
        </span>
      )}
      {isCut ? <Tooltip content={<span className="wrap-anywhere">{url}</span>}>{link}</Tooltip> : link}
    </span>
  );
}
