import { RowControls } from "@/components/ui/list/table";
import { Link } from "@/components/ui/page/link";
import { Tooltip } from "@/components/ui/tooltip";
import { WithBreaks } from "@/components/ui/with-breaks";
import { shortAddress } from "@/lib/webhooks/endpoint-address";

/** Fits into two lines of a table column. */
const shownLength = 46;

interface EndpointAddressProps {
  url: string;
  /** The endpoint's description. */
  description?: string | null;
  href?: string;
}

/**
 * A delivery's endpoint by description and address; one that is cut in the middle shows the whole URL on
 * hover and focus.
 */
export function EndpointAddress({ url, description, href }: EndpointAddressProps) {
  const { text, isCut } = shortAddress(url, shownLength);
  const address = (
    <span className="wrap-anywhere">
      <WithBreaks text={text} before="/" />
    </span>
  );
  const link = href ? (
    <Link href={href} className="hover:text-accent hover:underline">
      {address}
    </Link>
  ) : (
    address
  );
  return (
    <RowControls>
      {description && <span className="block text-ink wrap-anywhere">{description}</span>}
      {isCut ? <Tooltip content={<span className="wrap-anywhere">{url}</span>}>{link}</Tooltip> : link}
    </RowControls>
  );
}
