/** A part in another language: a message that is missing there is shown in English. */
export type Translated<English> = { [Key in keyof English]?: string };
