export type MediaFamily = "image" | "video" | "audio";

/** The field that accepts files of a family. */
export interface Slot {
  field: string;
  shape: "one" | "list" | "items";
  min: number;
  max: number | null;
  /** For lists of objects: the `type` of an item. */
  type?: string;
  /** The meaning of each position in the list. */
  positions: string[] | null;
}

/** The fields of an operation that get the common input. */
export interface Slots {
  /** Field for the text; `messages` for a chat. Null: the operation has no text input. */
  text: string | null;
  media: Partial<Record<MediaFamily, Slot>>;
}
