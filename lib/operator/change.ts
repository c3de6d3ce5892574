/** The result of a configuration change, with the id to undo it; null: it cannot be undone. */
export interface Changed<Data> {
  data: Data;
  changeId: string | null;
}
