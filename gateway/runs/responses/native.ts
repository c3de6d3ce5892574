import { ulidOf } from "#contract/ids.ts";
import type { Item, ResponseCreate } from "#contract/responses.ts";
import { numberOf, recordOf, recordsOf, textOf } from "#gateway/models/providers/http/read-body.ts";
import { sealedFormat } from "#gateway/models/providers/responses/request.ts";
import { compactedMessage, type PlacedItem, type Thought, thoughtOf } from "./messages.ts";
import type { SealedTexts } from "./sealed-text.ts";

/**
 * A response for an upstream that speaks Responses: with its whole conversation, and with the sealed content
 * that only that upstream can read opened. Null if it names files of the gateway.
 */
export function nativeBody(
  body: ResponseCreate,
  conversation: readonly PlacedItem[],
  sealed: SealedTexts,
): Record<string, unknown> | null {
  if (conversation.some(({ item }) => namesFiles(item.content) || namesFiles(item.output))) return null;
  const {
    input: _input,
    previous_response_id: _previous,
    store: _store,
    stream: _stream,
    background: _background,
    metadata: _metadata,
    region: _region,
    provider: _provider,
    ...same
  } = body;
  return { ...same, input: conversation.flatMap((placed) => nativeItems(placed, sealed)) };
}

function namesFiles(content: unknown): boolean {
  return recordsOf(content).some(({ type, file_id: id, image_url: url }) => {
    if (type === "input_file") return textOf(id) !== null;
    return type === "input_image" && !/^(data|https):/i.test(textOf(url) ?? "");
  });
}

function nativeItems({ item, place }: PlacedItem, sealed: SealedTexts): Item[] {
  if (item.type === "reasoning")
    return recordsOf(thoughtOf(item, place, sealed).reasoning_details)
      .filter(({ format }) => format === sealedFormat)
      .map(({ id, data }) => ({
        type: "reasoning",
        id,
        summary: item.summary ?? [],
        encrypted_content: data,
      }));
  if (item.type === "compaction") return [{ type: "message", ...compactedMessage(item, place, sealed) }];
  if (!hasOwnId(item)) return [item];
  // The upstream does not know our ids and does not need them.
  const { id: _, ...rest } = item;
  return [rest];
}

function hasOwnId({ type, role }: Item): boolean {
  return (
    role !== undefined ||
    String(type).startsWith("function_call") ||
    String(type).startsWith("custom_tool_call")
  );
}

/** The items and events of an upstream's own response, with ids of the run and with its thoughts sealed. */
export class NativeItems {
  readonly #runId: string;
  readonly #sealed: SealedTexts;
  readonly #byPlace = new Map<number, Item>();

  constructor(runId: string, sealed: SealedTexts) {
    this.#runId = runId;
    this.#sealed = sealed;
  }

  get output(): Item[] {
    return [...this.#byPlace].sort(([one], [other]) => one - other).map(([, item]) => item);
  }

  /** Takes the items of a whole response. */
  addAll(items: unknown): void {
    for (const [place, item] of recordsOf(items).entries()) this.#add(place, item);
  }

  /** The event for the client; null for events about the whole response, which this gateway writes itself. */
  event({
    type,
    sequence_number: _,
    item,
    item_id: itemId,
    ...rest
  }: Item): { type: string; data: Item } | null {
    const place = numberOf(rest.output_index);
    if (place === null) return null;
    const data: Item = { ...rest };
    if (itemId !== undefined) data.item_id = this.#idOf(place, itemId);
    if (item !== undefined)
      data.item =
        type === "response.output_item.done"
          ? this.#add(place, recordOf(item))
          : this.#own(place, recordOf(item));
    return { type: String(type), data };
  }

  #add(place: number, item: Item): Item {
    const own = this.#own(place, item);
    this.#byPlace.set(place, own);
    return own;
  }

  #own(place: number, item: Item): Item {
    const { encrypted_content: data, ...rest } = item;
    const own = { ...rest, id: this.#idOf(place, item.id) };
    if (!textOf(data)) return own;
    const text = recordsOf(item.summary)
      .map((part) => textOf(part.text) ?? "")
      .join("");
    const thought: Thought = {
      ...(text !== "" && { reasoning_content: text }),
      reasoning_details: [{ type: "reasoning.encrypted", id: item.id, data, format: sealedFormat }],
    };
    return { ...own, encrypted_content: this.#sealed.seal("thought", JSON.stringify(thought)) };
  }

  /**
   * The upstream's prefix, as in `msg_…`, followed by the run's own part: an item's id leads to its response.
   */
  #idOf(place: number, upstreamId: unknown): string {
    const prefix = /^[a-z]{1,10}(?=_)/.exec(textOf(upstreamId) ?? "")?.[0] ?? "item";
    return `${prefix}_${ulidOf(this.#runId)}_${place}`;
  }
}
