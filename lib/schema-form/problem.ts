/** A problem with a request body, for the person who filled in the form. */
export interface Problem {
  /** JSON pointer into the body. Empty for the whole body. */
  path: string;
  /** The field's title, for example "Reference 2, URL". */
  field: string;
  /** How to fix the problem, without the field's name: "Choose one of 720P, 1080P." */
  message: string;
}
