import type { ProviderPreset, ProviderProtocol } from "#contract/operator/providers.ts";
import { protocols } from "#gateway/models/providers/protocols.ts";

const places = ["cloud", "local", "other"];

/** What can be connected in a minute: addresses, where to get a key, and what it runs. */
export const providerPresets: readonly ProviderPreset[] = protocols
  .flatMap(({ name, facts }) =>
    facts.presets.map((preset) => ({
      object: "provider_preset" as const,
      protocol: name as ProviderProtocol,
      ...preset,
    })),
  )
  .sort((one, other) => places.indexOf(one.place) - places.indexOf(other.place));
