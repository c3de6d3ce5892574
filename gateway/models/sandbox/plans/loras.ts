import { createHash } from "node:crypto";
import type { ProviderRequest } from "#gateway/models/providers/provider.ts";

const fields = ["loras", "low_noise_loras", "high_noise_loras"] as const;
const strongestScale = 4;

interface Lora {
  field: string;
  url: string;
  scale: number;
}

/** The LoRAs of a request. Their URLs are never fetched: each becomes a tint, as strong as its scale. */
function lorasOf(request: ProviderRequest): Lora[] {
  return fields.flatMap((field) => {
    const list = request.input[field];
    if (!Array.isArray(list)) return [];
    return list.flatMap((item: unknown): Lora[] => {
      if (item === null || typeof item !== "object" || !("url" in item) || !("scale" in item)) return [];
      return [{ field, url: String(item.url), scale: Number(item.scale) || 0 }];
    });
  });
}

export function loraTints(request: ProviderRequest): { hue: number; strength: number }[] {
  return lorasOf(request).map(({ field, url, scale }) => ({
    hue: createHash("sha256").update(`${field} ${url}`).digest().readUInt16BE(0) % 360,
    strength: Math.sqrt(Math.min(1, scale / strongestScale)),
  }));
}

/** One line per list: host and scale of each. */
export function loraNotes(request: ProviderRequest): string[] {
  return fields.flatMap((field) => {
    const own = lorasOf(request).filter((lora) => lora.field === field);
    const items = own.map(({ url, scale }) => `${hostOf(url)} × ${scale}`);
    return items.length > 0 ? [`${field} (not loaded): ${items.join(", ")}`] : [];
  });
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : "LoRA";
}
