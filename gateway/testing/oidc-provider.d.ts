/** Types for the parts that tests use; the package has none. */
declare module "oidc-provider" {
  import type { IncomingMessage, ServerResponse } from "node:http";

  interface KoaContext {
    path: string;
    body: unknown;
    req: IncomingMessage;
    res: ServerResponse;
    respond?: boolean;
  }

  export default class Provider {
    constructor(issuer: string, configuration: Record<string, unknown>);
    use(middleware: (context: KoaContext, next: () => Promise<void>) => Promise<void>): void;
    callback(): (request: IncomingMessage, response: ServerResponse) => void;
    interactionFinished(
      request: IncomingMessage,
      response: ServerResponse,
      result: Record<string, unknown>,
    ): Promise<void>;
    Client: {
      find(id: string): Promise<{ backchannelLogout(subject: string, session: string): Promise<void> }>;
    };
    Grant: new (
      of: Record<string, unknown>,
    ) => { addOIDCScope(scope: string): void; save(): Promise<string> };
  }
}
