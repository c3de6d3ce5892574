import { Fragment } from "react";
import { endpointAddress } from "@/lib/webhooks/endpoint-address";

/** An endpoint's address in two lines at most, broken before a slash where there is no room. */
export function EndpointAddress({ url }: { url: string }) {
  const [host, ...path] = endpointAddress(url).split("/");
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
