import { textOf } from "#gateway/providers/http/read-body.ts";

/** An https address, or null: pages show nothing else. */
export function httpsUrl(value: unknown): string | null {
  const url = URL.parse(textOf(value) ?? "");
  return url?.protocol === "https:" ? url.href : null;
}
