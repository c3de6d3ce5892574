import type { Logger } from "pino";
import type { Config } from "#gateway/config.ts";
import type { Database } from "#gateway/database/database.ts";
import type { Provider } from "./provider.ts";
import type { Providers } from "./providers.ts";
import { createSandbox } from "./sandbox/provider.ts";

/** The providers of this gateway: the built-in sandbox runs whatever no configured upstream is mapped to. */
export function createProviders(options: { config: Config; database: Database; log: Logger }): Providers {
  const sandbox = createSandbox(options);
  const all = new Map<string, Provider>([[sandbox.id, sandbox]]);
  return {
    route: () => [sandbox],
    byRef(ref) {
      const provider = all.get(ref.provider);
      if (!provider) throw new Error(`the provider ${ref.provider} is no longer configured`);
      return provider;
    },
    async close() {
      for (const provider of all.values()) await provider.close?.();
    },
  };
}
