import { RowControls } from "@/components/ui/list/table";
import { LazyLink } from "@/components/ui/page/lazy-link";
import { Tooltip } from "@/components/ui/tooltip";
import { WithBreaks } from "@/components/ui/with-breaks";
import { shortAddress } from "@/lib/webhooks/endpoint-address";

/** What two lines of a table's column take. */
const shownLength = 46;

/** The address of a delivery's endpoint; one that is cut in its middle shows the whole URL on hover and focus. */
export function EndpointAddress({ url, href }: { url: string; href?: string }) {
  const { text, isCut } = shortAddress(url, shownLength);
  const address = (
    <span className="wrap-anywhere">
      <WithBreaks text={text} before="/" />
    </span>
  );
  const link = href ? (
    <LazyLink href={href} className="hover:text-accent hover:underline">
      {address}
    </LazyLink>
  ) : (
    address
  );
  return (
    <RowControls>
      {isCut ? <Tooltip content={<span className="wrap-anywhere">{url}</span>}>{link}</Tooltip> : link}
    </RowControls>
  );
}
