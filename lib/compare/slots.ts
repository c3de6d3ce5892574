export type MediaFamily = "image" | "video" | "audio";

/** The field that takes files of a family. */
export interface Slot {
  field: string;
  shape: "one" | "list" | "items";
  min: number;
  max: number | null;
  /** For lists of objects: the `type` of the item. */
  type?: string;
  /** The meaning of each position. */
  positions: string[] | null;
}

/** The fields of an operation that take the common input. */
export interface Slots {
  /** `messages` for a chat; null: the operation takes no text. */
  text: string | null;
  media: Partial<Record<MediaFamily, Slot>>;
}
