import type { JsonObject } from "@/lib/schema-form/json";

/** The keys whose values are not the same in all the bodies. */
export function differences(bodies: readonly JsonObject[]): string[] {
  const keys = new Set(bodies.flatMap((body) => Object.keys(body)));
  return [...keys].filter((key) => new Set(bodies.map((body) => JSON.stringify(body[key]) ?? "")).size > 1);
}
