// Loaded into the console before its own code (--import). Adds the browser's address, signed, to each
// request, so that the console can pass it on to the gateway. Replaces a header of that name from the
// browser.
import { subscribe } from "node:diagnostics_channel";
import { clientAddressHeader } from "../../contract/client-address.ts";
import { readTrustProxy } from "../../gateway/platform/core/config.ts";
import { signClientAddress } from "../../gateway/platform/core/trusted-proxies.ts";

const proxies = readTrustProxy(process.env.TRUST_PROXY);
const secret = process.env.CONSOLE_SECRET?.trim();

subscribe("http.server.request.start", ({ request, socket }) => {
  delete request.headers[clientAddressHeader];
  const forwardedFor = request.headers["x-forwarded-for"];
  const address = socket.remoteAddress && proxies.clientAddress(socket.remoteAddress, forwardedFor);
  if (secret && address) request.headers[clientAddressHeader] = signClientAddress(secret, address);
});
