import { Fragment } from "react";
import { shortAddress } from "@/lib/webhooks/endpoint-address";

/** An endpoint's address in two lines at most, cut in the middle when it is long; the whole URL on hover. */
export function EndpointAddress({ url }: { url: string }) {
  const [host, ...path] = shortAddress(url).split("/");
  return (
    <span className="line-clamp-2 wrap-anywhere" title={url}>
      {host}
      {path.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one address have an order and nothing else.
        <Fragment key={index}>
          <wbr />/{part}
        </Fragment>
      ))}
    </span>
  );
}
