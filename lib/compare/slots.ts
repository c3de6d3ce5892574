export type MediaFamily = "image" | "video" | "audio";

/** Where an operation takes files of a family. */
export interface Slot {
  field: string;
  shape: "one" | "list" | "items";
  least: number;
  most: number | null;
  /** Of an item that holds the file. */
  type?: string;
  /** What each place means. */
  positions: string[] | null;
}

/** Where an operation takes what the common input has. */
export interface Slots {
  /** `messages` of a chat; null: it takes no text. */
  text: string | null;
  media: Partial<Record<MediaFamily, Slot>>;
}
