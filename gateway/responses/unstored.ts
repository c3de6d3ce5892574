import type { Item } from "#contract/responses.ts";

/** Together they hold no more than this; the oldest go first. */
const most = { responses: 50, characters: 4_000_000 };

/** The conversations of one connection that are not stored, by the response at their end. */
export class UnstoredConversations {
  readonly #kept = new Map<string, { items: Item[]; characters: number }>();
  #characters = 0;

  find(id: string): readonly Item[] | undefined {
    return this.#kept.get(id)?.items;
  }

  keep(id: string, items: Item[]): void {
    const { length: characters } = JSON.stringify(items);
    this.#kept.set(id, { items, characters });
    this.#characters += characters;
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= most.responses && this.#characters <= most.characters) return;
      this.drop(oldest);
    }
  }

  drop(id: string): void {
    this.#characters -= this.#kept.get(id)?.characters ?? 0;
    this.#kept.delete(id);
  }
}
