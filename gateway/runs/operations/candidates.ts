import type { GoOnReason } from "#contract/aliases.ts";
import type { Context } from "#gateway/context.ts";
import type { AliasRow } from "#gateway/models/aliases/book.ts";
import type { Actor } from "#gateway/platform/core/actor.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { ProviderError } from "#gateway/platform/core/provider-error.ts";
import { type Admitted, admit, type OperationInput } from "./admit.ts";

type Alias = Pick<AliasRow, "name" | "models" | "goOnWhen">;

/** The alias that a request names as its model; null where it names a model, or nothing. */
function aliasOf(context: Context, actor: Actor, name: unknown): Promise<Alias | null> | null {
  if (typeof name !== "string" || context.catalog.has(name, actor.accountId)) return null;
  return context.aliases.find(actor.accountId, name);
}

/** The models of an alias that the caller can use. If there are none, all: the request is then refused with the reason. */
function usable(context: Context, actor: Actor, models: readonly string[]): readonly string[] {
  const found = models.filter(
    (id) => context.catalog.has(id, actor.accountId) && (actor.models?.includes(id) ?? true),
  );
  return found.length > 0 ? found : models;
}

/** `body` on the first model of the alias that it names, where it names one. */
export async function withModel<Body extends object>(
  context: Context,
  actor: Actor,
  body: Body & { model?: unknown },
): Promise<Body & { model?: unknown }> {
  const alias = await aliasOf(context, actor, body.model);
  return alias ? { ...body, model: usable(context, actor, alias.models)[0] } : body;
}

/** The models that a request may run on, one after the other: the one that it names, or those of its alias. */
export class Candidates {
  readonly #context: Context;
  readonly #actor: Actor;
  readonly #call: OperationInput;
  readonly #alias: string | null;
  readonly #goOnWhen: readonly GoOnReason[];
  readonly #left: string[];

  private constructor(context: Context, actor: Actor, call: OperationInput, alias: Alias | null) {
    this.#context = context;
    this.#actor = actor;
    this.#call = call;
    this.#alias = alias?.name ?? null;
    this.#goOnWhen = alias?.goOnWhen ?? [];
    this.#left = alias ? [...usable(context, actor, alias.models)] : [];
  }

  get isAlias(): boolean {
    return this.#alias !== null;
  }

  /** At once where the request names a model, as most do. */
  static of(context: Context, actor: Actor, call: OperationInput): Candidates | Promise<Candidates> {
    const of = (alias: Alias | null) => new Candidates(context, actor, call, alias);
    const named = aliasOf(context, actor, (call.body as { model?: unknown } | null)?.model);
    return named ? named.then(of) : of(null);
  }

  /** Admits it on the first model of those that are left that takes it. Throws as `admit`, for the last one tried. */
  admit(): Promise<Admitted> {
    const alias = this.#alias;
    return alias === null ? admit(this.#context, this.#actor, this.#call) : this.#admitAs(alias);
  }

  async #admitAs(alias: string): Promise<Admitted> {
    for (;;) {
      const model = this.#left.shift();
      // Each model fills in its own defaults.
      const body = { ...structuredClone(this.#call.body as object), model };
      try {
        return { ...(await admit(this.#context, this.#actor, { ...this.#call, body })), alias };
      } catch (error) {
        if (!this.#goesOn(error)) throw error;
      }
    }
  }

  /** Runs it on the model that it was admitted on, or the next ones. Throws what the last one tried threw. */
  run<Result>(first: Admitted, work: (admitted: Admitted) => Promise<Result>): Promise<Result> {
    return this.isAlias ? this.#runInTurn(first, work) : work(first);
  }

  async #runInTurn<Result>(first: Admitted, work: (admitted: Admitted) => Promise<Result>): Promise<Result> {
    let admitted = first;
    for (;;) {
      try {
        return await work(admitted);
      } catch (error) {
        if (!this.#goesOn(error)) throw error;
        admitted = await this.admit();
      }
    }
  }

  #goesOn(error: unknown): boolean {
    const reason = this.#left.length > 0 && reasonOf(error);
    return reason !== false && reason !== null && this.#goOnWhen.includes(reason);
  }
}

/** Why another model may be tried; null: something may have begun to run, or no other model would help. */
function reasonOf(error: unknown): GoOnReason | null {
  if (!(error instanceof ApiError)) return null;
  const { code, cause } = error;
  if (cause instanceof ProviderError && cause.started !== "no") return null;
  if (code === "budget_exceeded" || code === "not_priced") return "budget";
  if (code === "input_too_large") return "too_long";
  if (code === "upstream_rate_limited") return "busy";
  if (code === "no_healthy_region") return "down";
  // Without an upstream's failure behind it, it is the gateway itself that cannot go on.
  return error.status >= 500 && cause instanceof ProviderError ? "down" : null;
}
