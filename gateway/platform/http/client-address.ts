import { clientAddressHeader } from "#contract/client-address.ts";
import type { Context } from "#gateway/context.ts";
import { readClientAddress } from "#gateway/platform/core/client-address.ts";
import { plainAddress } from "#gateway/platform/network/address-block.ts";
import type { App } from "./app.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The client's address: the browser's if the console passes it on, else the connection's. */
    clientAddress: string;
  }
}

/**
 * Finds the client's address. An address from the console is signed; `X-Forwarded-For` counts only from the proxies of
 * TRUST_PROXY.
 */
export function installClientAddress(app: App, { config }: Context): void {
  app.decorateRequest("clientAddress", "");
  app.addHook("onRequest", (request, _reply, done) => {
    const signed = request.headers[clientAddressHeader];
    const passedOn = typeof signed === "string" ? readClientAddress(config.consoleSecrets, signed) : null;
    request.clientAddress = plainAddress(passedOn ?? request.ip);
    done();
  });
}
