import { textOf } from "../http/read-body.ts";

/**
 * Gives each tool call of a stream a place of its own, as OpenAI's clients need it to put the pieces together. Gemini names no
 * `index`, Ollama names 0 for every call, and both send a call's id once.
 */
export class ToolCallPlaces {
  private readonly byId = new Map<string, number>();
  private readonly taken = new Set<number>();
  private last = 0;

  placed(call: Record<string, unknown>): Record<string, unknown> {
    const id = textOf(call.id);
    const given = typeof call.index === "number" ? call.index : null;
    this.last = id === null ? (given ?? this.last) : this.placeOf(id, given);
    // Empty texts would replace what the first piece said.
    const { id: _, type, ...rest } = call;
    return { ...rest, index: this.last, ...(id !== null && { id }), ...(textOf(type) && { type }) };
  }

  private placeOf(id: string, given: number | null): number {
    const known = this.byId.get(id);
    if (known !== undefined) return known;
    const place = given !== null && !this.taken.has(given) ? given : this.taken.size;
    this.byId.set(id, place);
    this.taken.add(place);
    return place;
  }
}
