import type { ApiType } from "#contract/catalog.ts";
import { ProviderError } from "#gateway/platform/core/provider-error.ts";
import type { Provider, ProviderRequest } from "../provider.ts";

/** The `supports` of a provider whose protocol supports these kinds. */
export function supportsKind(kinds: readonly ApiType[], protocol: string): Provider["supports"] {
  return (operation) =>
    kinds.includes(operation.api_type)
      ? { ok: true }
      : { ok: false, reason: `The protocol ${protocol} does not support ${operation.api_type}.` };
}

export function unsupported(request: ProviderRequest): ProviderError {
  return new ProviderError(
    "operation_not_supported",
    `This gateway's provider does not support ${request.operation.api_type} for this model.`,
    { started: "no" },
  );
}

/** The methods of providers whose upstream always answers directly. */
export const noJobs: Pick<Provider, "start" | "status" | "cancel"> = {
  async start(request) {
    throw unsupported(request);
  },
  async status(_ref, request) {
    throw unsupported(request);
  },
  cancel: async () => "unsupported",
};
