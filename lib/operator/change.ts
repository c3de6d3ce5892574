/** The result of a configuration change, with the id for undoing it. Null: the change cannot be undone. */
export interface Changed<Data> {
  data: Data;
  changeId: string | null;
}
