import type { Context } from "#gateway/context.ts";

/** A wish with the name of its provider, which may be named by its id too. */
export function withProviderName<Wish extends { provider: string }>(
  { configuration }: Pick<Context, "configuration">,
  wish: Wish,
): Wish {
  const found = configuration.current.connections.find(({ row }) => row.id === wish.provider);
  return found ? { ...wish, provider: found.row.name } : wish;
}
