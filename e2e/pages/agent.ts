import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import {
  Client,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from "@modelcontextprotocol/client";

/** An agent with the protocol's own client on this machine. It knows only the address of the tools. */
export interface Agent {
  client: Client;
  /** The address to which the agent sends its user, after discovery. */
  startUrl(): Promise<string>;
  /** Waits until the user returns, and gets its tokens. Fails with the error that it received instead. */
  finish(): Promise<void>;
  close(): Promise<void>;
}

/** `metadataUrl` is the address of the agent's metadata document. Without one, the agent registers itself. */
export async function startAgent(mcpUrl: string, metadataUrl?: string): Promise<Agent> {
  const returned = Promise.withResolvers<URLSearchParams>();
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://127.0.0.1");
    response
      .writeHead(200, { "content-type": "text/html" })
      .end("<!doctype html><title>Agent</title><h1>Back</h1>");
    if (url.pathname === "/callback") returned.resolve(url.searchParams);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const provider = newProvider(`http://127.0.0.1:${port}/callback`, metadataUrl);
  const transport = () => new StreamableHTTPClientTransport(new URL(mcpUrl), { authProvider: provider });
  const first = transport();
  const client = new Client({ name: "agent", version: "1" });
  return {
    client,
    async startUrl() {
      await client.connect(first).catch((error: unknown) => {
        if (!(error instanceof UnauthorizedError)) throw error;
      });
      return provider.sentTo();
    },
    async finish() {
      const answer = await returned.promise;
      if (!answer.has("code")) throw new Error(String(answer.get("error")));
      await first.finishAuth(answer);
      await client.connect(transport());
    },
    async close() {
      await client.close().catch(() => {});
      server.closeAllConnections();
      server.close();
    },
  };
}

/** The client's storage, in memory. */
function newProvider(redirectUrl: string, metadataUrl: string | undefined) {
  const kept = new Map<string, unknown>();
  const read = <Value>(name: string) => kept.get(name) as Value;
  const provider: OAuthClientProvider = {
    redirectUrl,
    ...(metadataUrl !== undefined && { clientMetadataUrl: metadataUrl }),
    clientMetadata: { client_name: "Harbour agent", redirect_uris: [redirectUrl] },
    state: () => "state-of-the-agent",
    clientInformation: () => read("client"),
    saveClientInformation: (client) => void kept.set("client", client),
    tokens: () => read("tokens"),
    saveTokens: (tokens) => void kept.set("tokens", tokens),
    redirectToAuthorization: (url) => void kept.set("url", url.href),
    saveCodeVerifier: (verifier) => void kept.set("verifier", verifier),
    codeVerifier: () => read("verifier"),
    saveDiscoveryState: (state) => void kept.set("discovery", state),
    discoveryState: () => read("discovery"),
  };
  return { ...provider, sentTo: () => String(kept.get("url")) };
}
