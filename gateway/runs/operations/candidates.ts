import type { GoOnReason } from "#contract/alias-constants.ts";
import type { ApiType } from "#contract/catalog.ts";
import { enforceSafety } from "#gateway/access/accounts/attestations/gates.ts";
import type { AliasRow } from "#gateway/models/aliases/book.ts";
import type { Provider } from "#gateway/models/providers/provider.ts";
import type { Wish } from "#gateway/models/providers/providers.ts";
import { type Actor, mayUseModel } from "#gateway/platform/core/actor.ts";
import { upstreamErrorOf } from "#gateway/platform/core/provider-error.ts";
import type { RunsContext } from "#gateway/runs/context.ts";
import { type Admitted, admit, type OperationInput } from "./admit.ts";
import { type Attempts, mayRunTwice, reasonToGoOn } from "./attempts.ts";
import { mayBeCalled } from "./dispatch.ts";

type Alias = Pick<AliasRow, "name" | "models" | "goOnWhen" | "continueStreams">;

/** The alias that a request names as its model; null if it names a model, or nothing. */
function aliasOf(context: RunsContext, actor: Actor, name: unknown): Promise<Alias | null> | null {
  if (typeof name !== "string" || context.catalog.has(name, actor.accountId)) return null;
  return context.aliases.find(actor.accountId, name);
}

/**
 * The models of an alias that the caller can use. If the caller can use none, all models of the alias: the
 * checks then refuse the request with the reason.
 */
function usable(context: RunsContext, actor: Actor, models: readonly string[]): readonly string[] {
  const found = models.filter((id) => context.catalog.has(id, actor.accountId) && mayUseModel(actor, id));
  return found.length > 0 ? found : models;
}

/** `body` with the first model of its alias, if it names an alias. */
export async function withModel<Body extends object>(
  context: RunsContext,
  actor: Actor,
  body: Body & { model?: unknown },
): Promise<Body & { model?: unknown }> {
  const alias = await aliasOf(context, actor, body.model);
  return alias ? { ...body, model: usable(context, actor, alias.models)[0] } : body;
}

/** The models that a request may run on, in order: the named one, or those of its alias. */
export class Candidates {
  readonly #context: RunsContext;
  readonly #actor: Actor;
  #call: OperationInput;
  readonly #attempts: Attempts;
  readonly #alias: string | null;
  readonly #goOnWhen: readonly GoOnReason[];
  #left: string[];

  private constructor(
    context: RunsContext,
    actor: Actor,
    call: OperationInput,
    attempts: Attempts,
    alias: Alias | null,
  ) {
    this.#context = context;
    this.#actor = actor;
    this.#call = call;
    this.#attempts = attempts;
    this.#alias = alias?.name ?? null;
    this.#goOnWhen = alias?.goOnWhen ?? [];
    this.#left = alias ? [...usable(context, actor, alias.models)] : [];
    attempts.continuesStreams = alias?.continueStreams ?? false;
    attempts.isOnly = alias?.goOnWhen.length === 0;
  }

  get isAlias(): boolean {
    return this.#alias !== null;
  }

  /** Returns without a promise if the request names a model, as most do, to save time. */
  static of(
    context: RunsContext,
    actor: Actor,
    call: OperationInput,
    attempts: Attempts,
  ): Candidates | Promise<Candidates> {
    const of = (alias: Alias | null) => new Candidates(context, actor, call, attempts, alias);
    const named = aliasOf(context, actor, (call.body as { model?: unknown } | null)?.model);
    return named ? named.then((alias) => of(alias).#withoutClosed()) : of(null);
  }

  /**
   * Drops the later models whose gates are closed for this caller: none of them could take over. The first
   * one stays, so that its gate refuses the request with the reason.
   */
  async #withoutClosed(): Promise<this> {
    const { accountId } = this.#actor;
    const body = this.#call.body as Record<string, unknown>;
    const isOpen = (id: string, place: number) => {
      const model = place > 0 && this.#context.catalog.model(id, accountId);
      if (!model) return true;
      const gates = enforceSafety(this.#context, this.#actor, model.safety_requirements, body);
      return gates?.then(
        () => true,
        () => false,
      );
    };
    const open = await Promise.all(this.#left.map(isOpen));
    this.#left = this.#left.filter((_, place) => open[place] !== false);
    return this;
  }

  /**
   * Admits the request on the first remaining model that accepts it. Throws as `admit`, for the last one
   * tried.
   */
  admit(): Promise<Admitted> {
    const alias = this.#alias;
    return alias === null ? admit(this.#context, this.#actor, this.#call) : this.#admitAs(alias);
  }

  async #admitAs(alias: string): Promise<Admitted> {
    for (;;) {
      const model = this.#left.shift();
      // Copied, because each model fills in its own defaults.
      const body = { ...structuredClone(this.#call.body as object), model };
      const hasOther = this.#left.length > 0 && this.#goOnWhen.includes("down");
      try {
        const admitted = {
          ...(await admit(this.#context, this.#actor, { ...this.#call, body }, hasOther)),
          alias,
        };
        const { api_type: kind } = admitted.compiled.operation;
        this.#attempts.freeLater = (reason) => this.#freeLater(kind, reason, admitted.wish);
        return admitted;
      } catch (error) {
        if (!this.#goesOn(error, false)) throw error;
      }
    }
  }

  /** Runs the request on the model that admitted it, then on the next ones. Throws the last model's error. */
  run<Result>(first: Admitted, work: (admitted: Admitted) => Promise<Result>): Promise<Result> {
    return this.isAlias ? this.#runInTurn(first, work) : work(first);
  }

  async #runInTurn<Result>(first: Admitted, work: (admitted: Admitted) => Promise<Result>): Promise<Result> {
    let admitted = first;
    for (;;) {
      try {
        return await work(admitted);
      } catch (error) {
        const { input, native, compiled } = admitted;
        const { operation } = compiled;
        if (!this.#goesOn(error, mayRunTwice({ operation, input, ...(native && { native }) }))) throw error;
        admitted = await this.admit();
      }
    }
  }

  /** From now on the next models, and those that continue a stream, get this input. */
  replaceInput(call: OperationInput): void {
    this.#call = call;
  }

  #goesOn(error: unknown, runsTwice: boolean): boolean {
    const reason = reasonToGoOn(error, runsTwice);
    const { hasContent, mayTry } = this.#attempts;
    if (reason === null || this.#left.length === 0 || hasContent || !mayTry) return false;
    // Older aliases list only "down", which then included a 500 of a provider that certainly did not start.
    const isUnbegun = reason === "failed" && upstreamErrorOf(error)?.started === "no";
    if (!this.#goOnWhen.includes(reason) && !(isUnbegun && this.#goOnWhen.includes("down"))) return false;
    this.#attempts.failed(reason);
    return true;
  }

  /**
   * The number of routes of the remaining models that could be called now if the current model fails for this
   * reason.
   */
  #freeLater(kind: ApiType, reason: GoOnReason, wish: Wish | null): number {
    if (!this.#goOnWhen.includes(reason)) return 0;
    return this.#left.reduce((sum, id) => sum + this.#freeRoutes(id, kind, wish, () => true), 0);
  }

  /**
   * Whether another route of the answering model, or one of the remaining models, can continue a stream that
   * broke off at the provider `broken`.
   */
  canContinue({ compiled, wish }: Admitted, broken: Provider): boolean {
    const { model, operation } = compiled;
    const continues = (provider: Provider) => provider !== broken && provider.acceptsPrefill === true;
    return [model.id, ...this.#left].some(
      (id) => this.#freeRoutes(id, operation.api_type, wish, continues) > 0,
    );
  }

  /**
   * Admits the request with a begun answer, first on the model that began it and then on the remaining ones,
   * so that they continue it. `spent`: the answer's tokens so far. Each throws as `admit`.
   */
  *continuations({ compiled }: Admitted, text: string, spent: number): Generator<() => Promise<Admitted>> {
    const { native: _, ...call } = this.#call;
    const asked = call.body as Record<string, unknown>;
    const alias = this.#alias === null ? {} : { alias: this.#alias };
    for (let id: string | undefined = compiled.model.id; id !== undefined; id = this.#left.shift()) {
      const messages = [...(asked.messages as unknown[]), { role: "assistant", content: text }];
      const body: Record<string, unknown> = structuredClone({ ...asked, model: id, messages });
      for (const name of ["max_tokens", "max_completion_tokens"])
        if (typeof body[name] === "number") body[name] = Math.max(1, body[name] - spent);
      yield async () => ({ ...(await admit(this.#context, this.#actor, { ...call, body })), ...alias });
    }
  }

  #freeRoutes(
    id: string,
    kind: ApiType,
    wish: Wish | null,
    accepts: (provider: Provider) => boolean,
  ): number {
    const { catalog, providers } = this.#context;
    const routes = wish ? providers.wishing(wish) : providers;
    const model = catalog.model(id, this.#actor.accountId);
    const operation = model?.operations.find(({ api_type }) => api_type === kind);
    if (!model || !operation) return 0;
    return model.healthy_regions.flatMap((region) =>
      routes
        .route(model, operation, region)
        .filter((provider) => accepts(provider) && mayBeCalled(this.#context, provider, id, region)),
    ).length;
  }
}
