// Loaded into the console before its own code (--import). Adds the browser's address, signed, to each
// request, so that the console can pass it on to the gateway. Replaces a header of that name from the
// browser.
import { subscribe } from "node:diagnostics_channel";
import { clientAddressHeader } from "../../contract/client-address.ts";
import { readTrustProxy } from "../../gateway/platform/core/config.ts";
import { readClientAddress, signClientAddress } from "../../gateway/platform/core/trusted-proxies.ts";

const proxies = readTrustProxy(process.env.TRUST_PROXY);
const secret = process.env.CONSOLE_SECRET?.trim();

/**
 * The browser's address; undefined if the browser has left. Next itself sends an action on, from this machine, to a page
 * that has it: then the address is the one that was signed for the first request.
 */
export function addressOf({ headers, socket }) {
  const signed = headers["x-action-forwarded"] && headers[clientAddressHeader];
  const first = secret && signed ? readClientAddress([secret], signed) : null;
  if (first) return first;
  return socket.remoteAddress && proxies.clientAddress(socket.remoteAddress, headers["x-forwarded-for"]);
}

subscribe("http.server.request.start", ({ request }) => {
  const address = addressOf(request);
  delete request.headers[clientAddressHeader];
  if (secret && address) request.headers[clientAddressHeader] = signClientAddress(secret, address);
});
